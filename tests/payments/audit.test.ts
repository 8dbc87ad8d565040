import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { shopOf, type Shop } from './shop.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
})
afterAll(() => world.close())

interface Listed {
  items: {
    id: string
    summary: string
    operation: string
    outcome: string
    object: { kind: string; id: string | null; name: string | null } | null
    principal: { id: string; name: string | null } | null
  }[]
  nextCursor: string | null
}

const list = (query: string, who = world.ada) => who.fetchJson<Listed>(`GET /api/pay/audit?${query}`)

test('PAY-30 audit log of payments has its changes with names, and none of other services', async () => {
  const order = await shop.createOrder()
  await world.ada.fetchJson(`POST /api/orders/${order.id}/cancel`, {})
  await world.ada.fetchJson('POST /api/brands', { name: 'Not of payments' }, 201)
  const { items } = await list('limit=100')
  expect(items[0]).toMatchObject({
    summary: `Canceled order “${order.number}”`,
    object: { kind: 'order', id: order.id, name: order.number },
    principal: { id: world.ada.id, name: 'Ada' },
  })
  expect(items[1]?.summary).toBe(`Created order “${order.number}”`)
  expect(new Set(items.map(({ object }) => object?.kind))).not.toContain('brand')
  const { items: all } = await world.ada.fetchJson<Listed>('GET /api/audit?limit=1')
  expect(all[0]?.object?.kind).toBe('brand')
  expect((await list('limit=100', world.mallory)).items.map(({ id }) => id)).not.toContain(items[0]?.id)
})

test('PAY-30 audit log is filtered by person, operation, object, outcome and days, and paged', async () => {
  const order = await shop.createOrder()
  await shop.createOrder()
  const operationsOf = async (query: string) =>
    new Set((await list(`limit=100&${query}`)).items.map(({ operation }) => operation))
  expect(await operationsOf('operation=createOrder')).toEqual(new Set(['createOrder']))
  expect(await operationsOf(`objectId=${order.id}`)).toEqual(new Set(['createOrder']))
  expect(await operationsOf('object=venue&operation=createOrder')).toEqual(new Set())
  expect(await operationsOf(`principalId=${world.mallory.id}`)).toEqual(new Set())
  expect(await operationsOf('outcome=refused')).toEqual(new Set())
  expect(await operationsOf('to=2026-01-01')).toEqual(new Set())
  const first = await list('operation=createOrder&limit=1')
  const next = await list(`operation=createOrder&limit=1&cursor=${first.nextCursor}`)
  expect(next.items[0]?.object?.id).toBe(order.id)
  const foreign = await world.ada.fetch('GET /api/pay/audit?cursor=abc')
  expect(foreign.status).toBe(422)
})

test('PAY-31 page of the audit log keeps filters in its address, and exports what it shows', async () => {
  const { number } = await shop.createOrder()
  const page = await world.ada.fetch('GET /pay/audit?operation=createOrder&object=order', undefined, {
    accept: 'text/html',
  })
  const html = await page.text()
  expect(page.status).toBe(200)
  expect(html).toContain(`created order “${number}”`)
  expect(html).toContain('<option value="createOrder" selected>Create order</option>')
  expect(html).toContain('href="/api/pay/audit/export?object=order&amp;operation=createOrder')
  const filtered = await world.ada.fetch('GET /api/pay/audit?object=venue&limit=50', undefined, {
    'hx-request': 'true',
  })
  expect(filtered.headers.get('hx-push-url')).toBe('/pay/audit?object=venue')
  const csv = await (await world.ada.fetch('GET /api/pay/audit/export?operation=createOrder')).text()
  const [header, row = ''] = csv.split('\r\n')
  expect(header).toBe(
    'at,who,principalId,credential,credentialId,operation,summary,outcome,object,objectId,objectName,address,requestId',
  )
  expect(row).toContain(`createOrder,Created order “${number}”,done,order`)
})
