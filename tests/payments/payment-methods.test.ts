import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { scaleTime } from '../support/time-scale.ts'
import { openWorld, type World } from '../support/world.ts'
import { refundsOf } from './refunding.ts'
import { savable, savingOf, type Saving } from './saving.ts'
import { readAllMethods, syncProviderCustomer } from '../../src/payments/customers/methods/sync.ts'

let world: World
let saving: Saving
let behave: ReturnType<typeof refundsOf>['behave']

beforeAll(async () => {
  world = await openWorld({ env: { PAYMENTS_TIMEOUT_MS: String(scaleTime(600)) } })
  saving = savingOf(world)
  behave = refundsOf(world).behave
})
afterEach(() => behave({}))
afterAll(() => world.close())

interface Held {
  id: string
  name: string | null
  email: string | null
  customer: string | null
  metadata: Record<string, string>
  address: { city: string | null } | null
  invoice_settings: { default_payment_method: string | null }
}

/** What the provider has, the newest first. */
const heldAs = async (type: string): Promise<Held[]> => {
  const { items } = await world.stranger.fetchJson<{ items: { data: Held }[] }>(
    `GET /dev/payments/api/objects?type=${type}&limit=100&apiKey=sk_test_practice`,
  )
  return items.map(({ data }) => data)
}
const heldOf = async (customerId: string) =>
  (await heldAs('customer')).filter(({ metadata }) => metadata['customerId'] === customerId)

/** What the queue’s workers do. */
const work = async (customerId: string) => {
  const rows = await world.database.sql<{ accountKey: string }[]>`
    SELECT account_key AS "accountKey" FROM payments.provider_customers WHERE customer_id = ${customerId}`
  for (const { accountKey } of rows)
    await syncProviderCustomer(
      { ...world.provided, db: world.database.db, now: () => new Date() },
      { customerId, accountKey },
    )
}
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

test('PAY-30 card is saved on the provider’s page, and is the default', async () => {
  const customerId = await saving.create()
  expect(await saving.list(customerId)).toEqual([])
  const { url } = await saving.setUp(customerId)
  const done = await saving.fillIn(url, savable.visa)
  expect(done.headers.get('location')).toEndWith(`/pay/customers/${customerId}?added=true`)
  const [card, ...rest] = await saving.check(customerId)
  expect(rest).toEqual([])
  expect(card).toMatchObject({ type: 'card', brand: 'visa', lastFour: '4242', isDefault: true, isUsable: true })
  expect(card?.expiry?.state).toBe('valid')
  expect(await heldOf(customerId)).toMatchObject([{ name: 'Lena Vogt', email: 'lena.vogt@example.com' }])
  const second = await saving.save(customerId, savable.mastercard)
  expect(second).toMatchObject({ brand: 'mastercard', isDefault: false })
})

test('PAY-30 setup intent has its client secret once, and nothing is saved before it is confirmed', async () => {
  const customerId = await saving.create()
  const headers = { 'idempotency-key': customerId }
  const create = () => world.ada.fetch(`POST /api/customers/${customerId}/setup-intents`, { mode: 'intent' }, headers)
  const first = await (await create()).json()
  expect(first).toMatchObject({ mode: 'intent', url: null })
  expect(first.clientSecret).toStartWith(`${first.id}_secret_`)
  const again = await (await create()).json()
  expect([again.id, again.clientSecret]).toEqual([first.id, undefined])
  expect(await saving.check(customerId)).toEqual([])
})

test('PAY-30 declined card isn’t saved', async () => {
  const customerId = await saving.create()
  const { url } = await saving.setUp(customerId)
  await saving.fillIn(url, '4000000000000002')
  expect(await saving.check(customerId)).toEqual([])
})

test('PAY-30 one default remains when two are chosen at once, and the next one follows a removal', async () => {
  const customerId = await saving.create()
  const cards = [await saving.save(customerId), await saving.save(customerId, savable.mastercard)]
  cards.push(await saving.save(customerId))
  for (let round = 0; round < 4; round += 1) {
    const chosen = await Promise.all(cards.map(({ id }) => saving.makeDefault(customerId, id)))
    expect(chosen.map(({ status }) => status)).toEqual([204, 204, 204])
    expect((await saving.list(customerId)).filter(({ isDefault }) => isDefault)).toHaveLength(1)
  }
  const last = cards[0]?.id ?? ''
  await saving.makeDefault(customerId, last)
  await work(customerId)
  const [held] = await heldOf(customerId)
  const [row] = await world.database.sql<{ id: string }[]>`
    SELECT provider_payment_method_id AS id FROM payments.payment_methods WHERE id = ${last}`
  expect(held?.invoice_settings.default_payment_method ?? null).toBe(row?.id ?? '')
  expect((await saving.remove(customerId, last)).status).toBe(204)
  const left = await saving.list(customerId)
  expect(left.map(({ id, isDefault }) => [id, isDefault])).toEqual([
    [cards[2]?.id ?? '', true],
    [cards[1]?.id ?? '', false],
  ])
  expect((await heldAs('payment_method')).find(({ id }) => id === row?.id)?.customer).toBeNull()
  expect((await saving.remove(customerId, last)).status).toBe(404)
})

test('PAY-30 two setups at once make one customer at the provider', async () => {
  const customerId = await saving.create()
  await Promise.all([1, 2, 3, 4].map(() => saving.setUp(customerId)))
  expect(await heldOf(customerId)).toHaveLength(1)
})

test.each(['timeout_after_success', 'fail'])(
  'PAY-30 customer whose creation got no response (%s) is made once at the provider',
  async (answers) => {
    const customerId = await saving.create()
    await behave({ answers, times: 1 })
    const lost = await world.ada.fetch(`POST /api/customers/${customerId}/setup-intents`, {})
    expect(await codeOf(lost)).toEqual([502, 'outcome_unknown'])
    await behave({})
    // The provider has forgotten the key: it is looked up.
    await world.database.sql`DELETE FROM practice_payments.idempotency_keys`
    await world.database.sql`
      UPDATE payments.provider_customers SET created_at = created_at - '1 day'::interval WHERE customer_id = ${customerId}`
    await saving.save(customerId)
    expect(await heldOf(customerId)).toHaveLength(1)
  },
)

test('PAY-30 removal whose response was lost is found out', async () => {
  const customerId = await saving.create()
  const { id } = await saving.save(customerId)
  await behave({ answers: 'fail', times: 1 })
  expect(await codeOf(await saving.remove(customerId, id))).toEqual([502, 'outcome_unknown'])
  expect(await saving.list(customerId)).toHaveLength(1)
  await behave({ answers: 'timeout_after_success', times: 1 })
  expect((await saving.remove(customerId, id)).status).toBe(204)
  expect(await saving.list(customerId)).toEqual([])
})

test('PAY-30 list that was read before a removal doesn’t bring the card back', async () => {
  const customerId = await saving.create()
  const { id } = await saving.save(customerId)
  const { gateway } = world.provided
  let reads = 0
  const listPaymentMethods: typeof gateway.payments.listPaymentMethods = async (input) => {
    const list = await gateway.payments.listPaymentMethods(input)
    reads += 1
    if (reads === 1) await saving.remove(customerId, id)
    return list
  }
  const slow = { ...gateway, payments: { ...gateway.payments, listPaymentMethods } }
  const db = world.database.db
  await readAllMethods({ ...world.provided, db, now: () => new Date(), gateway: slow }, customerId)
  expect([reads, await saving.list(customerId)]).toEqual([2, []])
})

test('PAY-30 the provider’s customer follows edits', async () => {
  const customerId = await saving.create({ name: 'Before', email: 'before@example.com', address: { city: 'Berlin' } })
  await saving.setUp(customerId)
  await world.ada.fetchJson(`PATCH /api/customers/${customerId}`, {
    name: 'After',
    phone: '+49 30 5550184',
    address: null,
  })
  await work(customerId)
  expect(await heldOf(customerId)).toMatchObject([{ name: 'After', phone: '+49 30 5550184', address: null }])
})

test('PAY-30 deletion of personal data deletes the customer and its cards at the provider, also after failures', async () => {
  const customerId = await saving.create()
  await saving.save(customerId)
  await behave({ answers: 'fail' })
  expect((await world.ada.fetch(`DELETE /api/customers/${customerId}`)).status).toBe(204)
  expect(await saving.list(customerId)).toEqual([])
  await expect(work(customerId)).rejects.toThrow()
  const [row] = await world.database.sql<{ due: Date | null }[]>`
    SELECT next_check_at AS due FROM payments.provider_customers WHERE customer_id = ${customerId}`
  expect(row?.due).toBeInstanceOf(Date)
  await behave({})
  await work(customerId)
  const rows = await world.database.sql`SELECT 1 FROM payments.provider_customers WHERE customer_id = ${customerId}`
  expect([rows.length, (await heldOf(customerId)).length]).toEqual([0, 0])
  const setup = await world.ada.fetch(`POST /api/customers/${customerId}/setup-intents`, {})
  expect(await codeOf(setup)).toEqual([409, 'customer_erased'])
})

test('PAY-30 card that expires within 60 days is marked until it has expired', async () => {
  const customerId = await saving.create()
  const { id } = await saving.save(customerId)
  const today = Temporal.Now.plainDateISO('UTC')
  const stateIn = async (days: number) => {
    const { year, month } = today.add({ days })
    await world.database.sql`
      UPDATE payments.payment_methods SET expiry_year = ${year}, expiry_month = ${month} WHERE id = ${id}`
    return (await saving.list(customerId))[0]?.expiry?.state
  }
  expect([await stateIn(-31), await stateIn(0), await stateIn(100)]).toEqual(['expired', 'soon', 'valid'])
  const page = await world.ada.fetch(`GET /pay/customers/${customerId}`, undefined, { accept: 'text/html' })
  expect(await page.text()).not.toContain('Expires soon')
})

test('PAY-30 cards of another organization and without the permission are out of reach', async () => {
  const customerId = await saving.create()
  const { id } = await saving.save(customerId)
  const card = `/api/customers/${customerId}/payment-methods`
  const writes = [`POST /api/customers/${customerId}/setup-intents`, `POST ${card}/check`, `PUT ${card}/${id}/default`]
  for (const route of [`GET ${card}`, ...writes, `DELETE ${card}/${id}`])
    expect([route, (await world.mallory.fetch(route)).status]).toEqual([route, 404])
  const foreign = await savingOf(world, world.mallory).create()
  const mixed = await world.mallory.fetch(`DELETE /api/customers/${foreign}/payment-methods/${id}`)
  expect(mixed.status).toBe(404)
  expect((await world.vera.fetch(`GET ${card}`)).status).toBe(200)
  for (const route of [...writes, `DELETE ${card}/${id}`])
    expect([route, ...(await codeOf(await world.vera.fetch(route)))]).toEqual([route, 403, 'permission_missing'])
  expect(await saving.list(customerId)).toHaveLength(1)
})
