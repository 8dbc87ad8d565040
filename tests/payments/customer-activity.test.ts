import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { coffee, shopOf, type Shop } from './shop.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
})
afterAll(() => world.close())

interface ShownActivity {
  items: { id: string; source: string; kind: string; order: { number: string } | null; byName: string | null }[]
  nextCursor: string | null
}

const activityOf = (id: string, query = '', who: Caller = world.ada) =>
  who.fetchJson<ShownActivity>(`GET /api/customers/${id}/activity?${query}`)

test('PAY-30 activity of a customer has orders, payments, refunds, invoices and changes, on pages without gaps', async () => {
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/customers', { name: 'Lena Vogt' }, 201)
  await world.ada.fetchJson(`PATCH /api/customers/${id}`, { phone: '+49 30 5550184' })
  const sold = await shop.sell({ ...coffee, customerId: id })
  await world.ada.fetchJson('POST /api/invoices', { orderId: sold.id, issue: true }, 201)
  await world.ada.fetchJson('POST /api/refunds', { orderId: sold.id, amount: 200 }, 201)
  await shop.sell()
  const { items: all } = await activityOf(id, 'limit=100')
  const kinds = all.map(({ source, kind }) => `${source} ${kind}`)
  for (const kind of ['order created', 'order captured', 'order refund_succeeded', 'invoice invoice'])
    expect(kinds).toContain(kind)
  expect(kinds.slice(-2)).toEqual(['customer updateCustomer', 'customer createCustomer'])
  expect(new Set(all.flatMap(({ order }) => order?.number ?? []))).toEqual(new Set([sold.number]))
  expect(all.at(-1)?.byName).toBe('Ada')
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: ShownActivity = await activityOf(id, `limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    expect(page.items.length).toBeLessThanOrEqual(2)
    seen.push(...page.items.map((entry) => entry.id))
    cursor = page.nextCursor
  }
  expect(seen).toEqual(all.map((entry) => entry.id))
  expect((await world.mallory.fetch(`GET /api/customers/${id}/activity`)).status).toBe(404)
})

test('PAY-30 activity has invoices and changes only with the permissions for them', async () => {
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/customers', { name: 'Seen' }, 201)
  const order = await shop.createOrder({ ...coffee, customerId: id })
  await world.ada.fetchJson('POST /api/invoices', { orderId: order.id, issue: true }, 201)
  const key = await world.ada.createKey({ service: 'platform-pay', scopes: ['customers.read'] })
  const { items } = await activityOf(id, '', key)
  expect(items.map(({ source, kind }) => `${source} ${kind}`)).toEqual(['order created'])
})

test('PAY-30 choices for an order begin with the chosen customer, and leave out archived and foreign ones', async () => {
  const create = async (name: string, who: Caller = world.ada) =>
    (await who.fetchJson<{ id: string }>('POST /api/customers', { name }, 201)).id
  const [found, archived, chosen] = [await create('Zelda One'), await create('Zelda Two'), await create('Quentin')]
  await create('Zelda Foreign', world.mallory)
  await world.ada.fetchJson(`POST /api/customers/${archived}/archive`)
  const choices = (query: string, who: Caller = world.ada) =>
    who.fetchJson<{ items: { id: string; name: string }[]; chosenId: string | null }>(
      `GET /api/customers/choices?${query}`,
    )
  expect(await choices(`q=zel&customerId=${chosen}`)).toEqual({
    items: [
      { id: chosen, name: 'Quentin', email: null },
      { id: found, name: 'Zelda One', email: null },
    ],
    chosenId: chosen,
  } as never)
  expect((await choices(`q=zel&customerId=${archived}`)).chosenId).toBeNull()
  expect((await choices('q=nothing')).items).toEqual([])
})
