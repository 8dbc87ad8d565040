import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { cards, coffee, shopOf, type Shop, type ShownOrder } from './shop.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
})
afterAll(() => world.close())

interface ShownCustomer {
  id: string
  kind: string
  name: string | null
  email: string | null
  taxNumber: string | null
  address: object | null
  archivedAt: string | null
  erasedAt: string | null
  totals: { currency: string; orders: number; captured: number; refunded: number; spent: number }[]
  attention: string | null
  latestOrders: { id: string; number: string }[]
  latestPayments: { status: string; card: object | null }[]
  version: number
  can: { update: boolean }
}

const create = (draft: object, who: Caller = world.ada) =>
  who.fetchJson<ShownCustomer>('POST /api/customers', draft, 201)
const read = (id: string) => world.ada.fetchJson<ShownCustomer>(`GET /api/customers/${id}`)
const namesOf = async (query: string, who: Caller = world.ada) => {
  const { items } = await who.fetchJson<{ items: ShownCustomer[] }>(`GET /api/customers?${query}`)
  return items.map(({ name }) => name)
}
const refusalOf = async (response: Response) => {
  const { code, errors } = (await response.json()) as { code: string; errors?: { path: string }[] }
  return [response.status, code, ...(errors ?? []).map(({ path }) => path)]
}
const pageOf = async (path: string, who: Caller = world.ada) =>
  (await who.fetch(`GET ${path}`, undefined, { accept: 'text/html' })).text()

test('PAY-30 customer keeps its details, and an edit needs the current version', async () => {
  const made = await create({
    kind: 'company',
    name: 'Café Ostkreuz GmbH',
    email: 'einkauf@ostkreuz.example',
    address: { city: 'Berlin', country: 'DE' },
    taxNumber: 'DE 811 569 869',
    language: 'de',
    metadata: { club: 'beans' },
  })
  expect(made).toMatchObject({ kind: 'company', taxNumber: 'DE811569869', version: 1, totals: [], attention: null })
  const edited = await world.ada.fetchJson<ShownCustomer>(`PATCH /api/customers/${made.id}`, {
    phone: '+49 30 5550184',
  })
  expect(edited).toMatchObject({ name: 'Café Ostkreuz GmbH', phone: '+49 30 5550184', version: 2 })
  const outdated = await world.ada.fetch(`PATCH /api/customers/${made.id}`, { name: 'Late' }, { 'if-match': '"1"' })
  expect(await refusalOf(outdated)).toEqual([409, 'version_conflict'])
})

test.each([
  [{}, 'name'],
  [{ name: '' }, 'name'],
  [{ email: 'lena' }, 'email'],
  [{ name: 'X', phone: 'call me' }, 'phone'],
  [{ name: 'X', language: 'german' }, 'language'],
  [{ name: 'X', kind: 'robot' }, 'kind'],
  [{ name: 'X', address: { country: 'DE' }, taxNumber: 'DE1' }, 'taxNumber'],
])('PAY-30 customer with invalid fields is refused: %p', async (draft, path) => {
  expect(await refusalOf(await world.ada.fetch('POST /api/customers', draft))).toEqual([422, 'validation_failed', path])
})

test('PAY-30 customers are found by beginnings of words of name, email and tax number, in the own organization', async () => {
  await create({ name: 'Wilhelmina Ångström', email: 'mina.a@example.org', taxNumber: 'SE123456789012' })
  await create({ name: 'Wilhelmina Foreign' }, world.mallory)
  for (const q of ['wilhel', 'ångst', 'ÅNGSTRÖM wil', 'mina.a@', 'se1234567'])
    expect(await namesOf(`q=${encodeURIComponent(q)}`)).toEqual(['Wilhelmina Ångström'])
  for (const q of ["'", '\\', "x':* | 'w", '&', '%', 'ngström', 'wilhel foreign'])
    expect(await namesOf(`q=${encodeURIComponent(q)}`)).toEqual([])
})

test('PAY-30 list of customers is filtered and has pages without gaps', async () => {
  for (const name of ['Page 1', 'Page 2', 'Page 3']) await create({ name, kind: 'company', address: { country: 'JP' } })
  const seen: (string | null)[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { items: ShownCustomer[]; nextCursor: string | null } = await world.ada.fetchJson(
      `GET /api/customers?country=JP&kind=company&limit=2${cursor ? `&cursor=${cursor}` : ''}`,
    )
    seen.push(...page.items.map(({ name }) => name))
    cursor = page.nextCursor
  }
  expect(seen).toEqual(['Page 3', 'Page 2', 'Page 1'])
  expect(await namesOf('country=JP&kind=individual')).toEqual([])
})

test('PAY-30 order of a customer has their name and email, and their totals follow', async () => {
  const { id } = await create({ name: 'Lena Vogt', email: 'lena.vogt@example.com' })
  const sold = await shop.sell({ ...coffee, customerId: id })
  expect(sold).toMatchObject({ customer: { id, name: 'Lena Vogt', email: 'lena.vogt@example.com' } })
  await world.ada.fetchJson('POST /api/refunds', { orderId: sold.id, amount: 200 }, 201)
  const other = await shop.createOrder({ ...coffee, customerId: id, customer: { email: 'work@example.com' } })
  expect(other).toMatchObject({ customer: { id, name: 'Lena Vogt', email: 'work@example.com' } })
  const payment = await shop.createPayment(other.id)
  await shop.pay(payment, cards.declined)
  await shop.check(payment)
  const customer = await read(id)
  expect(customer.totals).toEqual([{ currency: 'EUR', orders: 2, captured: 700, refunded: 200, spent: 500 }])
  expect(customer.attention).toBe((await shop.order(other.id)).status)
  expect(customer.latestOrders.map((order) => order.id)).toEqual([other.id, sold.id])
  expect(customer.latestPayments.at(-1)).toMatchObject({
    status: 'succeeded',
    card: { brand: 'visa', lastFour: '4242' },
  })
  expect(await namesOf('attention=open')).toContain('Lena Vogt')
  const { items } = await world.ada.fetchJson<{ items: ShownOrder[] }>(`GET /api/orders?customerId=${id}`)
  expect(items.map((order) => order.id)).toEqual([other.id, sold.id])
  const page = await pageOf(`/pay/customers/${id}`)
  for (const text of ['Lena Vogt', sold.number, '€5.00', 'Visa 4242']) expect(page).toContain(text)
})

test('PAY-30 archived customer and one of another organization get no orders', async () => {
  const { id } = await create({ name: 'Gone' })
  await world.ada.fetchJson(`POST /api/customers/${id}/archive`)
  const order = (customerId: string) => world.ada.fetch('POST /api/orders', { ...coffee, customerId })
  expect(await refusalOf(await order(id))).toEqual([422, 'validation_failed', 'customerId'])
  expect(await namesOf('state=archived')).toContain('Gone')
  expect(await namesOf('state=active&limit=100')).not.toContain('Gone')
  await world.ada.fetchJson(`POST /api/customers/${id}/restore`)
  expect((await order(id)).status).toBe(201)
  const foreign = await create({ name: 'Theirs' }, world.mallory)
  expect(await refusalOf(await order(foreign.id))).toEqual([422, 'validation_failed', 'customerId'])
  expect((await world.ada.fetch(`GET /api/customers/${foreign.id}`)).status).toBe(404)
})

test('PAY-30 deletion of a customer’s personal data leaves orders and ledger under a pseudonym', async () => {
  const secret = 'Ottilie Unvergessen'
  const email = 'ottilie@unvergessen.example'
  const { id } = await create({ name: secret, email, note: 'Likes Unvergessen', metadata: { k: 'Unvergessen' } })
  await world.ada.fetchJson(`PATCH /api/customers/${id}`, { phone: '+49 30 5550184' })
  const sold = await shop.sell({ ...coffee, customerId: id })
  const guest = await shop.createOrder({ ...coffee, customer: { email: email.toUpperCase(), name: secret } })
  const others = await shopOf(world.mallory, world.stranger).createOrder({ ...coffee, customer: { email } })
  const before = await shop.balances()
  expect((await world.ada.fetch(`DELETE /api/customers/${id}`)).status).toBe(204)
  expect(await read(id)).toMatchObject({
    name: null,
    email: null,
    address: null,
    erasedAt: expect.any(String),
    totals: [{ currency: 'EUR', orders: 1, captured: 700, refunded: 0, spent: 700 }],
    can: { update: false },
  })
  for (const order of [sold, guest])
    expect(await shop.order(order.id)).toMatchObject({ customer: { name: null, email: null } })
  expect(await shop.balances()).toEqual(before)
  expect(await world.ada.fetchJson('GET /api/ledger/verify')).toMatchObject({ balanced: true, chained: true })
  const theirs = await world.mallory.fetchJson<{ customer: object }>(`GET /api/orders/${others.id}`)
  expect(theirs).toMatchObject({ customer: { email } })
  const { sql } = world.database
  for (const table of ['payments.customers', 'payments.orders', 'payments.order_events', 'platform.audit_log']) {
    const rows = await sql.unsafe(
      `SELECT 1 FROM ${table} AS each WHERE each::text LIKE '%nvergessen%' AND each::text NOT LIKE $1`,
      [`%${others.id}%`],
    )
    expect([table, rows.length]).toEqual([table, 0])
  }
  expect(await refusalOf(await world.ada.fetch(`PATCH /api/customers/${id}`, { name: 'Back' }))).toEqual([
    409,
    'customer_erased',
  ])
  expect(await refusalOf(await world.ada.fetch(`POST /api/customers/${id}/restore`))).toEqual([409, 'customer_erased'])
  expect((await world.ada.fetch(`DELETE /api/customers/${id}`)).status).toBe(204)
})

test('PAY-30 deletion and a new order at once leave no name behind', async () => {
  const { id } = await create({ name: 'Racing Name', email: 'racing@example.com' })
  const orders = [1, 2, 3, 4].map(() => world.ada.fetch('POST /api/orders', { ...coffee, customerId: id }))
  const deleted = world.ada.fetch(`DELETE /api/customers/${id}`)
  expect((await deleted).status).toBe(204)
  for (const response of await Promise.all(orders)) expect([201, 422]).toContain(response.status)
  const rows = await world.database.sql`SELECT 1 FROM payments.orders WHERE customer_name = 'Racing Name'`
  expect(rows).toHaveLength(0)
})

test('PAY-30 export of customers has what the list shows, without formulas', async () => {
  await create({ name: '=HYPERLINK("https://evil.example") Exported', email: 'exported@example.com' })
  const csv = await (await world.ada.fetch('GET /api/customers/export?q=exported')).text()
  const [header = '', row = '', ...rest] = csv.split('\r\n')
  expect(header).toStartWith('id,kind,name,email,phone')
  expect(row).toContain(`'=HYPERLINK`)
  expect(rest).toEqual([''])
})

test('PAY-30 viewers read customers without changing them, and search finds customers and merchants', async () => {
  const { id } = await create({ name: 'Needle Findling' })
  const seen = await world.vera.fetchJson<ShownCustomer>(`GET /api/customers/${id}`)
  expect(seen.can.update).toBe(false)
  for (const route of [`PATCH /api/customers/${id}`, `DELETE /api/customers/${id}`, 'POST /api/customers'])
    expect(await refusalOf(await world.vera.fetch(route, { name: 'X' }))).toEqual([403, 'permission_missing'])
  await world.ada.fetchJson('POST /api/merchants', { name: 'Findling Tea' }, 201)
  const { items } = await world.vera.fetchJson<{ items: { kind: string; label: string; href: string }[] }>(
    'GET /api/search?q=findling',
  )
  expect(items).toContainEqual(
    expect.objectContaining({ kind: 'customer', label: 'Needle Findling', href: `/pay/customers/${id}` }),
  )
  expect(items).toContainEqual(expect.objectContaining({ kind: 'merchant', label: 'Findling Tea' }))
  const hidden = await world.mallory.fetchJson<{ items: object[] }>('GET /api/search?q=findling')
  expect(hidden.items.filter((item) => JSON.stringify(item).includes('/pay/'))).toEqual([])
})

test('PAY-30 search names venues only to people who can read them', async () => {
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/merchants', { name: 'Quillon Tea' }, 201)
  await world.ada.fetchJson('POST /api/venues', { merchantId: id, name: 'Quillon Kiosk' }, 201)
  const found = async () => {
    const { items } = await world.vera.fetchJson<{ items: { kind: string; label: string }[] }>(
      'GET /api/search?q=quillon',
    )
    return items.flatMap(({ kind, label }) => (kind === 'merchant' ? [label] : []))
  }
  expect(await found()).toEqual(['Quillon Tea', 'Quillon Kiosk'])
  const serviceId = await world.provided.identity.serviceId('platform-pay')
  await world.ada.fetchJson(
    `POST /api/organizations/${world.ada.things.organizations}/members/${world.vera.id}/overrides`,
    { permission: `${serviceId}.venues:read`, effect: 'deny' },
    201,
  )
  expect(await found()).toEqual(['Quillon Tea'])
})
