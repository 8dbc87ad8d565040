import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { cards, coffee, shopOf, type Shop } from './shop.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.mallory, world.stranger)
})
afterAll(() => world.close())

interface Totals {
  takings: number
  payments: number
  averageOrder: number | null
  refunds: number
  refundRate: number | null
  disputes: number
  attempts: number
  conversion: number | null
}
interface Analytics {
  from: string
  to: string
  currencies: string[]
  totals: Totals
  previous: Totals
  days: { day: string; takings: number; payments: number; previous: number }[]
  outcomes: Record<string, number>
  modes: { mode: string; succeeded: number; declined: number }[]
  methods: { brand: string; payments: number; amount: number }[]
  hours: { hour: number; orders: number; takings: number }[]
  weekdays: { weekday: number; orders: number }[]
  buyers: Record<'new' | 'returning' | 'guests', { customers?: number; orders: number; takings: number }>
  topVenues: { id: string; name: string; takings: number }[]
  topCustomers: { id: string; name: string; takings: number; orders: number }[] | null
}

const read = (query = '', who: Pick<World['ada'], 'fetchJson'> = world.mallory) =>
  who.fetchJson<Analytics>(`GET /api/pay/analytics?currency=CHF&${query}`)

const inFrancs = { ...coffee, currency: 'CHF' }

test('PAY-30 analytics tell takings, averages, rates, conversion, hours and buyers of orders, by venue and currency', async () => {
  const { merchant } = await shop.createOrder()
  const venue = { merchantId: merchant.id, name: 'Pier' }
  const { id: venueId } = await world.mallory.fetchJson<{ id: string }>('POST /api/venues', venue, 201)
  const { id: customerId } = await world.mallory.fetchJson<{ id: string }>('POST /api/customers', { name: 'Nina' }, 201)
  const ofNina = { ...inFrancs, customerId }
  const first = await shop.sell({ ...ofNina, venueId })
  await shop.sell(ofNina, cards.mastercard)
  await shop.sell(inFrancs)
  await shop.sell(inFrancs, cards.declined)
  await shop.sell({ ...coffee, currency: 'SEK' })
  await world.mallory.fetchJson('POST /api/refunds', { orderId: first.id, reason: 'quality' }, 201)

  const found = await read()
  expect(found.totals).toMatchObject({
    takings: 2_100,
    payments: 3,
    averageOrder: 700,
    refunds: 700,
    refundRate: 0.3333,
    disputes: 0,
    attempts: 4,
    conversion: 0.75,
  })
  expect(found.previous).toMatchObject({ takings: 0, payments: 0, averageOrder: null, conversion: null })
  expect(found.days).toHaveLength(30)
  expect(found.days.at(-1)).toMatchObject({ day: found.to, takings: 2_100, payments: 3 })
  expect(found.outcomes).toMatchObject({ succeeded: 3, declined: 1 })
  expect(found.modes).toMatchObject([{ mode: 'checkout', succeeded: 3 }])
  expect(found.methods).toMatchObject([
    { brand: 'visa', payments: 2, amount: 1_400 },
    { brand: 'mastercard', payments: 1 },
  ])
  expect(found.hours.reduce((sum, { orders }) => sum + orders, 0)).toBe(3)
  expect(found.weekdays.filter(({ orders }) => orders > 0)).toHaveLength(1)
  expect(found.buyers).toMatchObject({
    new: { customers: 1, orders: 2, takings: 1_400 },
    returning: { customers: 0, orders: 0 },
    guests: { orders: 1, takings: 700 },
  })
  expect(found.topVenues).toMatchObject([{ id: venueId, name: 'Pier', takings: 700 }])
  expect(found.topCustomers).toEqual([{ id: customerId, name: 'Nina', takings: 1_400, orders: 2 }])
  expect((await read(`venueId=${venueId}`)).totals).toMatchObject({ takings: 700, payments: 1 })
  expect(found.currencies).toContain('SEK')
})

test('PAY-30 a customer who paid an earlier order returns, and the days before are compared', async () => {
  await world.database.sql`
    UPDATE payments.orders SET paid_at = paid_at - interval '10 days'
    WHERE id = (SELECT min(id::text)::uuid FROM payments.orders WHERE currency = 'CHF' AND customer_id IS NOT NULL)`
  const { to } = await read()
  const day = (back: number) => Temporal.PlainDate.from(to).subtract({ days: back }).toString()
  const { buyers } = await read(`from=${day(2)}&to=${to}`)
  expect(buyers).toMatchObject({ new: { customers: 0 }, returning: { customers: 1, orders: 1, takings: 700 } })
  await world.database.sql`
    UPDATE payments.ledger_days SET day = day - 3 WHERE currency = 'CHF' AND kind = 'capture'`
  const { previous, days } = await read(`from=${day(2)}&to=${to}`)
  expect(previous.takings).toBe(2_100)
  expect(days.map((each) => each.previous)).toEqual([0, 0, 2_100])
})

test('PAY-30 analytics have no customers for callers who can’t read them, and refuse more than 366 days', async () => {
  const key = await world.mallory.createKey({ service: 'platform-pay', scopes: ['analytics.read'] })
  expect((await read('', key)).topCustomers).toBeNull()
  const refused = await world.mallory.fetch('GET /api/pay/analytics?from=2024-01-01&to=2025-01-01')
  expect(refused.status).toBe(422)
  expect((await world.mallory.fetch(`GET /api/pay/analytics?merchantId=${world.ada.id}`)).status).toBe(404)
})

test('PAY-31 page of analytics shows its figures, links to customers, and exports days', async () => {
  const page = await world.mallory.fetch('GET /pay/analytics?currency=CHF', undefined, { accept: 'text/html' })
  const html = await page.text()
  expect(page.status).toBe(200)
  expect(html).toContain('Average order')
  expect(html).toContain('>Nina</a>')
  const csv = await (await world.mallory.fetch('GET /api/pay/analytics/export?currency=CHF')).text()
  const lines = csv.trim().split('\r\n')
  expect(lines[0]).toBe('day,currency,payments,takings,refunds,fees,net,previousTakings')
  expect(lines).toHaveLength(31)
  expect(csv).toContain(',CHF,3,21.00,')
  const empty = await world.mallory.fetch('GET /pay/analytics?from=2020-01-01&to=2020-01-31', undefined, {
    accept: 'text/html',
  })
  expect(await empty.text()).toContain('No payments in these days')
})
