import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { bearer, callerOf } from '../support/world/callers.ts'
import { signUp } from '../support/world/people.ts'
import { coffee, shopOf, type Shop } from './shop.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
})
afterAll(() => world.close())

interface ShownMerchant {
  id: string
  name: string
  legalName: string | null
  address: Record<string, string | null> | null
  taxNumber: string | null
  invoicePrefix: string
  timeZone: string
  defaultCurrency: string
  isDefault: boolean
  archivedAt: string | null
  version: number
  can: { update: boolean }
}

interface ShownVenue {
  id: string
  name: string
  merchant: { id: string }
  archivedAt: string | null
}

const create = (draft: object, who: Caller = world.ada) =>
  who.fetchJson<ShownMerchant>('POST /api/merchants', draft, 201)
const createVenue = (draft: object) => world.ada.fetchJson<ShownVenue>('POST /api/venues', draft, 201)
const list = async (who: Caller = world.ada, query = '') =>
  (await who.fetchJson<{ items: ShownMerchant[] }>(`GET /api/merchants${query}`)).items
const refusalOf = async (response: Response) => {
  const { code, errors } = (await response.json()) as { code: string; errors?: { path: string; message: string }[] }
  return [response.status, code, ...(errors ?? []).map(({ path }) => path)]
}

test('PAY-30 merchant keeps its address, tax number, prefix, time zone and currency, and an edit is audited', async () => {
  const made = await create({
    name: 'Acme Coffee',
    legalName: 'Acme Coffee GmbH',
    address: { line1: 'Oranienstraße 34', postalCode: '10999', city: 'Berlin', country: 'de' },
    taxNumber: 'DE 811.569.869',
    timeZone: 'europe/berlin',
    defaultCurrency: 'EUR',
  })
  expect(made).toMatchObject({
    taxNumber: 'DE811569869',
    invoicePrefix: 'AC',
    timeZone: 'Europe/Berlin',
    isDefault: false,
    version: 1,
  })
  expect(made.address).toEqual({
    line1: 'Oranienstraße 34',
    line2: null,
    postalCode: '10999',
    city: 'Berlin',
    region: null,
    country: 'DE',
  })
  const edited = await world.ada.fetchJson<ShownMerchant>(`PATCH /api/merchants/${made.id}`, {
    legalName: '',
    invoicePrefix: 'acme-26',
  })
  expect(edited).toMatchObject({ legalName: null, invoicePrefix: 'ACME-26', taxNumber: 'DE811569869', version: 2 })
  const [logged] = await world.database.sql`
    SELECT object_kind, principal_id, before, after FROM platform.audit_log
    WHERE object_id = ${made.id} AND operation = 'updateMerchant'`
  expect(logged).toEqual({
    object_kind: 'merchant',
    principal_id: world.ada.id,
    before: { legalName: 'Acme Coffee GmbH', invoicePrefix: 'AC' },
    after: { invoicePrefix: 'ACME-26' },
  })
})

test('PAY-30 edit of an outdated merchant is refused, by If-Match and by the version of a form', async () => {
  const { id } = await create({ name: 'Edited' })
  const read = await world.ada.fetch(`GET /api/merchants/${id}`)
  const etag = read.headers.get('etag') ?? ''
  const edit = (body: object, headers: Record<string, string> = {}) =>
    world.ada.fetch(`PATCH /api/merchants/${id}`, body, headers)
  expect((await edit({ legalName: 'First Ltd' }, { 'if-match': etag })).status).toBe(200)
  expect(await refusalOf(await edit({ legalName: 'Second Ltd' }, { 'if-match': etag }))).toEqual([
    409,
    'version_conflict',
  ])
  expect(await refusalOf(await edit({ legalName: 'Second Ltd', version: 1 }))).toEqual([409, 'version_conflict'])
  expect(await world.ada.fetchJson(`GET /api/merchants/${id}`)).toMatchObject({ legalName: 'First Ltd' })
})

test.each([
  ['DE', 'DE12345678', 'taxNumber'],
  ['DE', 'DE123456789', null],
  ['DE', '21/815/08150', null],
  ['AT', 'ATU12345678', null],
  ['AT', 'AT12345678', 'taxNumber'],
  ['GR', 'EL123456789', null],
  ['NL', 'nl 1234.56.789.B01', null],
  ['FR', 'DE123456789', null],
  ['MX', 'FIGA850101AB1', null],
  ['JP', 'T9-0104-0118-4471', null],
  ['CH', 'CHE-123.456.788 MWST', null],
  [null, 'DE12', 'taxNumber'],
  ['US', 'x', 'taxNumber'],
  ['US', 'drop;table', 'taxNumber'],
])('PAY-30 tax number of %s: %s', async (country, taxNumber, refused) => {
  const draft = { name: `Taxed ${crypto.randomUUID()}`, taxNumber, ...(country && { address: { country } }) }
  const response = await world.ada.fetch('POST /api/merchants', draft)
  if (refused) expect(await refusalOf(response)).toEqual([422, 'validation_failed', refused])
  else expect(response.status).toBe(201)
})

test('PAY-30 another country makes the tax number invalid', async () => {
  const { id } = await create({ name: 'Moving', address: { country: 'US' }, taxNumber: 'DE12' })
  const moved = await world.ada.fetch(`PATCH /api/merchants/${id}`, { address: { country: 'DE' } })
  expect(await refusalOf(moved)).toEqual([422, 'validation_failed', 'taxNumber'])
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'X', address: { country: 'ZZ' } }, 'address.country'],
  [{ name: 'X', timeZone: 'Mars/Base' }, 'timeZone'],
  [{ name: 'X', defaultCurrency: 'EURO' }, 'defaultCurrency'],
  [{ name: 'X', invoicePrefix: 'A B' }, 'invoicePrefix'],
  [{ name: 'X', invoicePrefix: 'ABCDEFGHIJKLM' }, 'invoicePrefix'],
])('PAY-30 merchant with invalid fields is refused: %p', async (draft, path) => {
  expect(await refusalOf(await world.ada.fetch('POST /api/merchants', draft))).toEqual([422, 'validation_failed', path])
})

test('PAY-30 names and prefixes of merchants are unique in an organization, also for concurrent callers', async () => {
  await create({ name: 'Unique', invoicePrefix: 'UNQ' })
  const draft = { name: 'Unique', invoicePrefix: 'OTHER' }
  expect(await refusalOf(await world.ada.fetch('POST /api/merchants', draft))).toEqual([
    422,
    'validation_failed',
    'name',
  ])
  expect(await refusalOf(await world.ada.fetch('POST /api/merchants', { name: 'U2', invoicePrefix: 'unq' }))).toEqual([
    422,
    'validation_failed',
    'invoicePrefix',
  ])
  await create(draft, world.mallory)
  const made = await Promise.all(['North', 'North East', 'Norden'].map((name) => create({ name: `${name} Nook` })))
  expect(new Set(made.map(({ invoicePrefix }) => invoicePrefix)).size).toBe(3)
})

test('PAY-30 archived merchant and venue refuse new orders, until they are restored', async () => {
  const merchant = await create({ name: 'Seasonal' })
  const venue = await createVenue({ merchantId: merchant.id, name: 'Beach' })
  const order = (draft: object) => world.ada.fetch('POST /api/orders', { ...coffee, ...draft })
  expect((await order({ merchantId: merchant.id })).status).toBe(201)

  await world.ada.fetchJson(`POST /api/venues/${venue.id}/archive`)
  expect(await refusalOf(await order({ venueId: venue.id }))).toEqual([422, 'validation_failed', 'venueId'])
  await world.ada.fetchJson(`POST /api/venues/${venue.id}/restore`)
  await world.ada.fetchJson(`POST /api/merchants/${merchant.id}/archive`)
  expect(await refusalOf(await order({ venueId: venue.id }))).toEqual([422, 'validation_failed', 'venueId'])
  expect(await refusalOf(await order({ merchantId: merchant.id }))).toEqual([422, 'validation_failed', 'merchantId'])
  expect(await refusalOf(await world.ada.fetch('POST /api/venues', { merchantId: merchant.id, name: 'Pier' }))).toEqual(
    [409, 'merchant_archived'],
  )
  expect((await list(world.ada, '?state=archived')).map(({ name }) => name)).toContain('Seasonal')
  expect((await list(world.ada, '?state=active&limit=100')).map(({ name }) => name)).not.toContain('Seasonal')

  await world.ada.fetchJson(`POST /api/merchants/${merchant.id}/restore`)
  const placed = await shop.createOrder({ ...coffee, venueId: venue.id })
  const { items } = await world.ada.fetchJson<{ items: { id: string }[] }>(`GET /api/orders?venueId=${venue.id}`)
  expect(items.map(({ id }) => id)).toEqual([placed.id])
})

test('PAY-30 orders without a merchant belong to the default, which can be renamed and changed but not archived', async () => {
  const ordered = async () => {
    const { id } = await shop.createOrder()
    return (await world.ada.fetchJson<{ merchant: { name: string } }>(`GET /api/orders/${id}`)).merchant.name
  }
  const main = (await list(world.ada, '?limit=100')).find(({ isDefault }) => isDefault)
  await world.ada.fetchJson(`PATCH /api/merchants/${main?.id}`, { name: 'Head office' })
  expect(await ordered()).toBe('Head office')
  expect(await refusalOf(await world.ada.fetch(`POST /api/merchants/${main?.id}/archive`))).toEqual([
    409,
    'merchant_default',
  ])
  const other = await create({ name: 'New default' })
  await Promise.all([other.id, other.id].map((id) => world.ada.fetchJson(`PUT /api/merchants/${id}/default`)))
  expect(await ordered()).toBe('New default')
  expect((await list(world.ada, '?limit=100')).filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([
    other.id,
  ])
  await world.ada.fetchJson(`POST /api/merchants/${main?.id}/archive`)
  expect(await refusalOf(await world.ada.fetch(`PUT /api/merchants/${main?.id}/default`))).toEqual([
    409,
    'merchant_archived',
  ])
})

test('PAY-30 first merchant of an organization is its default', async () => {
  const { accessToken } = await signUp(world.handle, { name: 'Olga', organizationName: 'Olga Tea' })
  const owner = callerOf(world.handle, bearer(accessToken))
  const made = await create({ name: 'Tea house' }, owner)
  expect(made).toMatchObject({ isDefault: true, name: 'Tea house' })
  await owner.fetchJson('POST /api/orders', coffee, 201)
  expect((await list(owner)).map(({ name }) => name)).toEqual(['Tea house'])
})

test('PAY-30 viewers see merchants and venues, and only admins change them', async () => {
  const [first] = await list(world.vera)
  expect(first?.can.update).toBe(false)
  expect(await refusalOf(await world.vera.fetch('POST /api/merchants', { name: 'Vera’s' }))).toEqual([
    403,
    'permission_missing',
  ])
  expect(await refusalOf(await world.vera.fetch(`PATCH /api/merchants/${first?.id}`, { name: 'Vera’s' }))).toEqual([
    403,
    'permission_missing',
  ])
  const page = await (await world.vera.fetch('GET /pay/merchants', undefined, { accept: 'text/html' })).text()
  expect(page).not.toContain('New merchant')
})

test('PAY-30 merchants and venues of others are not found, nor are their venues by an own merchant', async () => {
  const foreign = await create({ name: 'Theirs' }, world.mallory)
  for (const route of ['GET', 'PATCH'])
    expect((await world.ada.fetch(`${route} /api/merchants/${foreign.id}`, {})).status).toBe(404)
  expect((await world.ada.fetch('POST /api/venues', { merchantId: foreign.id, name: 'X' })).status).toBe(404)
  expect((await world.ada.fetch(`GET /api/venues?merchantId=${foreign.id}`)).status).toBe(404)
  expect((await world.ada.fetch('POST /api/orders', { ...coffee, merchantId: foreign.id })).status).toBe(422)
})

test('PAY-30 page of merchants shows venues with the paid orders of seven days', async () => {
  const merchant = await create({ name: 'Seven days', address: { city: 'Tokyo', country: 'JP' } })
  const venue = await createVenue({ merchantId: merchant.id, name: 'Shimokitazawa' })
  await shop.sell({ ...coffee, venueId: venue.id })
  await shop.createOrder({ ...coffee, venueId: venue.id })
  const { items } = await world.ada.fetchJson<{ items: object[] }>('GET /api/merchants/sales')
  expect(items).toContainEqual({
    merchantId: merchant.id,
    venueId: venue.id,
    currency: 'EUR',
    orders: 1,
    takings: 700,
  })
  const page = await (await world.ada.fetch('GET /pay/merchants?limit=100', undefined, { accept: 'text/html' })).text()
  for (const text of ['Seven days', 'Tokyo, Japan', 'Shimokitazawa', '€7.00']) expect(page).toContain(text)
})
