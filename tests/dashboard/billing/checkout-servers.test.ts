import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { eventually, killRest } from '../../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { serve, type Served } from '../../support/served.ts'
import type { ShownCheckout } from './buying.ts'

// Two server processes share a database: orders begin at the first one, which the provider’s events are sent to, and the buyer’s browser
// comes back to the second one.

let database: TestDatabase
let sql: postgres.Sql
let first: Served
let second: Served

beforeAll(async () => {
  database = await freshDatabase()
  sql = postgres(database.url, { max: 1 })
  first = await serve({ databaseUrl: database.url })
  second = await serve({ databaseUrl: database.url })
})
afterAll(async () => {
  await killRest()
  await sql.end()
  await database.drop()
})

const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }

const behave = (behavior: object) =>
  fetch(`${first.url}/dev/payments/behavior`, { method: 'PUT', headers: json, body: JSON.stringify(behavior) })

interface Order {
  id: string
  email: string
  cookie: string
}

async function buy(): Promise<Order> {
  const email = `${Bun.randomUUIDv7()}@example.com`
  const answer = await fetch(`${first.url}/api/checkout`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ package: 'three', seats: 4, email, organizationName: 'Corner Bakery' }),
  })
  expect(answer.status).toBe(201)
  const { id, checkoutUrl }: { id: string; checkoutUrl: string } = await answer.json()
  const paid = await fetch(first.url + new URL(checkoutUrl).pathname, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'pay', email, number: '4242424242424242' }),
    redirect: 'manual',
  })
  expect(new URL(paid.headers.get('location') ?? '').pathname).toBe(`/checkout/${id}`)
  return { id, email, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

async function visit({ id, cookie }: Order, at: Served): Promise<ShownCheckout> {
  const answer = await fetch(`${at.url}/api/checkout/${id}`, { headers: { cookie } })
  const shown: ShownCheckout = await answer.json()
  return shown
}

const stateOf = async ({ id }: Order): Promise<string> => {
  const [row] = await sql<{ state: string }[]>`SELECT state FROM dashboard.checkouts WHERE id = ${id}`
  return row?.state ?? ''
}

/** Everything that exists of the order, once. */
async function expectOnce({ id, email }: Order): Promise<void> {
  const [found] = await sql`
    SELECT (SELECT count(*)::int FROM identity.users WHERE email = ${email}) AS people,
      (SELECT count(*)::int FROM identity.memberships m JOIN identity.users u ON u.id = m.user_id
        WHERE u.email = ${email}) AS organizations,
      (SELECT (o.settings -> 'appEntitlement' ->> 'seats')::int FROM identity.organizations o
        WHERE o.id = c.organization_id) AS seats,
      (SELECT count(*)::int FROM practice_payments.objects o WHERE o.type = 'charge'
        AND o.data ->> 'customer' = s.provider_customer_id) AS charges,
      (SELECT count(*)::int FROM platform.mails m WHERE m.recipient = ${email} AND m.subject LIKE 'Invoice %') AS invoices,
      (SELECT count(*)::int FROM platform.mails m WHERE m.recipient = ${email}) AS mails, c.apps
    FROM dashboard.checkouts c JOIN payments.subscriptions s ON s.id = c.subscription_id WHERE c.id = ${id}`
  expect(found).toEqual({ people: 1, organizations: 1, seats: 4, charges: 1, invoices: 1, mails: 2, apps: 2 })
}

test('DSH-30 PAY-33 event that arrives twice at one server, before the redirect is followed at another, makes one organization', async () => {
  await behave({ webhooks: 'duplicate' })
  const order = await buy()
  expect(await eventually(async () => (await stateOf(order)) === 'ready')).toBe(true)
  expect(await visit(order, second)).toMatchObject({ state: 'ready', apps: 2, can: { signIn: true } })
  await expectOnce(order)
})

test('DSH-30 PAY-33 order is finished by the visit of its page while all events of the provider are lost', async () => {
  await behave({ webhooks: 'lose' })
  const order = await buy()
  expect(await eventually(async () => (await visit(order, second)).state === 'ready')).toBe(true)
  await expectOnce(order)
})

test('DSH-30 PAY-33 servers that are killed after the payment finish the order after their restart', async () => {
  await behave({ webhooks: 'delay' })
  const order = await buy()
  for (const server of [first, second]) server.kill('SIGKILL')
  await Promise.all([first.exited, second.exited])
  expect(await stateOf(order)).toBe('open')
  const { port } = new URL(first.url)
  first = await serve({ databaseUrl: database.url, env: { PORT: port } })
  // Without a visit of the page: the delayed event is enough.
  expect(await eventually(async () => (await stateOf(order)) === 'ready')).toBe(true)
  expect(await visit(order, first)).toMatchObject({ state: 'ready', can: { signIn: true } })
  await expectOnce(order)
})
