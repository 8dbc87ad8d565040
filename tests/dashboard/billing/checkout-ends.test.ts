import { afterAll, beforeAll, expect, test } from 'bun:test'
import { checkOpenCheckout, sweepCheckouts } from '../../../src/dashboard/checkout/jobs.ts'
import { eq } from 'drizzle-orm'
import { settleCheckout } from '../../../src/dashboard/checkout/settle.ts'
import { checkouts } from '../../../src/dashboard/schema.ts'
import { Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { workOf } from '../../payments/subscribing.ts'
import { callerOf, bearer, type Caller } from '../../support/world/callers.ts'
import { openWorld, password, type World } from '../../support/world.ts'
import { openWebsite, type Bought, type Website } from './buying.ts'

// Orders that end without a new account: not paid, not possible, or claimed by no one.

let world: World
let site: Website

beforeAll(async () => {
  world = await openWorld()
  site = await openWebsite(world)
})
afterAll(async () => {
  await site.listener.stop()
  await world.close()
})

const subjectsTo = async (email: string) => (await world.letters(email)).map(({ subject }) => subject)

/** Each minute’s schedule, as if the last look was a while ago. */
async function sweep({ id }: Bought): Promise<void> {
  await world.database.sql`UPDATE dashboard.checkouts SET checked_at = now() - interval '3 minutes' WHERE id = ${id}`
  const queued: unknown[] = []
  const enqueue = async (_: unknown, job: { name: string }, input: object) => {
    queued.push({ name: job.name, ...input })
  }
  await sweepCheckouts.run({ ...workOf(world), queue: { ...world.provided.queue, enqueue }, input: {} })
  expect(queued).toContainEqual({ name: 'dashboard.check-checkout', checkoutId: id })
  await checkOpenCheckout.run({ ...workOf(world), input: { checkoutId: id } })
}

/** A person with an account and an organization. */
async function signUp(): Promise<Caller & { email: string }> {
  const email = `${newId()}@example.com`
  const draft = { email, password, name: 'Olga', createOrganization: true }
  const { accessToken } = await world.stranger.fetchJson<{ accessToken: string }>('POST /register', draft, 201)
  return { ...site.listener.caller(callerOf(world.handle, bearer(accessToken))), email }
}

/** Paid with the address of an account that the checkout didn’t make. */
async function payFor(email: string): Promise<Bought> {
  const order = await site.begin({ email, organizationName: 'Elsewhere' })
  await site.pay(order)
  await site.settle(await site.webhook(order))
  expect(await site.read(order)).toMatchObject({ state: 'waiting' })
  return order
}

test('DSH-30 order whose payment page expires is abandoned without a charge, and can be started again', async () => {
  const order = await site.begin()
  const { sql } = world.database
  await sql`UPDATE practice_payments.tasks SET due_at = now() WHERE kind = 'expire_session' AND object_id IN (
    SELECT id FROM practice_payments.objects WHERE data ->> 'client_reference_id' = ${await site.subscriptionOf(order.id)})`
  await world.stranger.fetchJson('PUT /dev/payments/behavior', {})
  await site.webhook(order)
  await sweep(order)
  expect(await site.read(order)).toMatchObject({ state: 'abandoned', checkoutUrl: null, can: { signIn: false } })
  expect(await site.organizationOf(order.email)).toBeNull()
  const page = await order.browser.fetch(`GET /checkout/${order.id}`, undefined, { accept: 'text/html' })
  const html = await page.text()
  expect(html).toContain('Nothing was charged')
  expect(html).toContain('Start again')
  const again = await site.begin({ email: order.email })
  await site.pay(again)
  await site.check(again)
  expect(await site.read(again)).toMatchObject({ state: 'ready' })
})

test('DSH-30 order is finished by the schedule when its buyer left and all news of the payment are lost', async () => {
  const order = await site.begin()
  await site.pay(order)
  await sweep(order)
  expect(await site.organizationOf(order.email)).toMatchObject({ seats: 4, mode: 'count' })
  expect(await subjectsTo(order.email)).toContain('Corner Bakery is ready on Atrium')
})

test('DSH-30 order with the address of a super admin is refunded, and only its mailbox and super admins learn why', async () => {
  const order = await site.begin({ email: 'root@example.com' })
  await site.pay(order)
  await site.settle(await site.webhook(order))
  expect(await site.read(order)).toMatchObject({
    state: 'refused',
    problem: 'email_refused',
    can: { signIn: false },
  })
  const page = await (await order.browser.fetch(`GET /checkout/${order.id}`, undefined, { accept: 'text/html' })).text()
  expect(page).toContain('This email address can’t own an organization now')
  expect(page).not.toMatch(/belongs to|super admin|an agent|not_a_customer/)
  const [letter] = (await world.letters(order.email)).filter(({ subject }) => subject.includes('refunded'))
  expect(letter?.text).toContain('this email address belongs to a super admin or an agent')
  const { items } = await world.root.fetchJson<{ items: object[] }>('GET /api/admin/checkouts?state=refused')
  expect(items).toContainEqual(expect.objectContaining({ id: order.id, problem: 'not_a_customer' }))
  expect(await site.charges(order)).toEqual([{ amount: 3_600, refunded: 3_600 }])
  expect(await subjectsTo(order.email)).toContainEqual(expect.stringContaining('refunded'))
})

test('DSH-30 order with the address of a suspended organization or an account about to be deleted hides that', async () => {
  const reasons = {
    workspace_suspended: 'the organization of this email address is suspended',
    account_deletion_pending: 'the account with this email address is about to be deleted',
  }
  for (const [code, reason] of Object.entries(reasons)) {
    const order = await site.begin()
    await site.pay(order)
    const refused = () => Promise.reject(new Problem(403, code, 'Refused.'))
    const identity = { ...world.provided.identity, provision: refused }
    const [row] = await world.database.db.select().from(checkouts).where(eq(checkouts.id, order.id))
    if (!row) throw new Error('There is no checkout')
    await settleCheckout({ ...workOf(world), db: world.database.db, identity }, row)
    expect(await site.read(order)).toMatchObject({ state: 'refused', problem: 'email_refused' })
    const page = await order.browser.fetch(`GET /checkout/${order.id}`, undefined, { accept: 'text/html' })
    expect(await page.text()).not.toMatch(/suspended|deleted/)
    const [letter] = (await world.letters(order.email)).filter(({ subject }) => subject.includes('refunded'))
    expect(letter?.text).toContain(reason)
  }
})

test('DSH-30 paid order that no one uses within 14 days is refunded once', async () => {
  const olga = await signUp()
  const order = await payFor(olga.email)
  await sweep(order)
  expect(await site.read(order)).toMatchObject({ state: 'waiting' })
  await world.database.sql`UPDATE dashboard.checkouts SET paid_at = now() - interval '14.1 days' WHERE id = ${order.id}`
  await sweep(order)
  await site.check(order)
  expect(await site.charges(order)).toEqual([{ amount: 3_600, refunded: 3_600 }])
  expect(await site.read(order)).toMatchObject({ state: 'refused', problem: 'order_unclaimed' })
  const subjects = await subjectsTo(order.email)
  expect(subjects.filter((subject) => subject.includes('refunded'))).toEqual([
    'Your order for Elsewhere is canceled and refunded',
  ])
  expect(subjects.filter((subject) => subject.includes('has ended'))).toEqual([])
  expect((await olga.fetch(`POST /api/checkout/${order.id}/accept`, {})).status).toBe(409)
})

test('DSH-30 accepted order whose setup was interrupted is completed by the schedule, and never refunded', async () => {
  const olga = await signUp()
  const order = await payFor(olga.email)
  const { organization } = await olga.fetchJson<{ organization: { id: string } }>('GET /api/auth/me')
  const subscriptionId = await site.subscriptionOf(order.id)
  await world.provided.subscriptions.assign({ id: subscriptionId, organizationId: organization.id })
  await world.database.sql`UPDATE dashboard.checkouts SET paid_at = now() - interval '14.1 days' WHERE id = ${order.id}`
  await sweep(order)
  expect(await site.charges(order)).toEqual([{ amount: 3_600, refunded: 0 }])
  const [row] = await world.database.sql`
    SELECT state, organization_id, problem FROM dashboard.checkouts WHERE id = ${order.id}`
  expect(row).toEqual({ state: 'ready', organization_id: organization.id, problem: null })
  expect((await subjectsTo(order.email)).filter((subject) => subject.includes('refunded'))).toEqual([])
})

test('DSH-30 paid order that ended before it was set up is refunded and explained, although its job was interrupted', async () => {
  const order = await site.begin()
  await site.pay(order)
  await world.database.sql`UPDATE dashboard.checkouts SET state = 'paid', paid_at = now() WHERE id = ${order.id}`
  const subscriptionId = await site.subscriptionOf(order.id)
  await world.provided.subscriptions.check(subscriptionId)
  await world.provided.subscriptions.end(subscriptionId)
  await sweep(order)
  expect(await site.read(order)).toMatchObject({ state: 'refused', problem: 'order_ended' })
  expect(await site.charges(order)).toEqual([{ amount: 3_600, refunded: 3_600 }])
  const subjects = await subjectsTo(order.email)
  expect(subjects.filter((subject) => subject.includes('refunded'))).toHaveLength(1)
  const page = await order.browser.fetch(`GET /checkout/${order.id}`, undefined, { accept: 'text/html' })
  expect(await page.text()).toContain('canceled before it was set up')
})
