import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { post } from './ledger-fixtures.ts'
import { cards, coffee, shopOf, type Shop } from './shop.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
})
afterAll(() => world.close())

const pageOf = async (who: World['ada'], path: string) => (await who.fetch(`GET ${path}`, undefined, navigation)).text()
const navigation = { accept: 'text/html' }

const receiptOf = async ({ id }: { id: string }): Promise<string> => {
  const [row] = await world.database.sql<{ token: string }[]>`
    SELECT receipt_token AS token FROM payments.payments WHERE id = ${id}`
  return row?.token ?? ''
}

interface ShownReceipt {
  status: string
  number: string
  total: number
  lines: { name: string; quantity: number; total: number }[]
}

test('PAY-10 order of decimal prices keeps the exponent of its currency', async () => {
  const made = await shop.createOrder({ currency: 'KWD', lines: [{ name: 'Latte', quantity: 2, price: '1.250' }] })
  expect(made).toMatchObject({ currency: 'KWD', total: 2_500 })
  const page = await pageOf(world.ada, `/pay/orders/${made.id}`)
  expect(page.replaceAll(/\s/g, ' ')).toContain('KWD 2.500')
  const refused = await world.ada.fetch('POST /api/orders', {
    currency: 'JPY',
    lines: [{ name: 'Latte', price: '3.50' }],
  })
  expect([refused.status, await refused.json()]).toEqual([
    422,
    expect.objectContaining({
      errors: [{ path: 'lines.0.price', message: expect.stringContaining('0 decimal places') }],
    }),
  ])
})

test('PAY-02 page of orders lists, searches and filters, and exports what it shows without formulas', async () => {
  const name = '=HYPERLINK("https://evil.example")'
  const { number } = await shop.createOrder({ ...coffee, customer: { name, email: 'formula@example.com' } })
  await shop.sell({ ...coffee, currency: 'USD', customer: { email: 'paid@example.com' } })
  const all = await pageOf(world.ada, '/pay/orders')
  expect(all).toContain(number)
  expect(all).toContain('paid@example.com')
  const paid = await pageOf(world.ada, '/pay/orders?status=paid&currency=USD')
  expect(paid).toContain('paid@example.com')
  expect(paid).not.toContain(number)
  const csv = await (await world.ada.fetch('GET /api/orders/export?q=formula')).text()
  const [header = '', row = '', ...rest] = csv.split('\r\n')
  expect(header).toStartWith('id,number,status,currency')
  expect(row).toContain(number)
  expect(row).toContain(`'=HYPERLINK`)
  expect(rest).toEqual([''])
  expect(await pageOf(world.mallory, '/pay/orders')).not.toContain('paid@example.com')
})

test('PAY-10 capture of a decimal amount is checked against what is authorized', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id, { captureMethod: 'manual' })
  await shop.pay(payment)
  await shop.check(payment)
  for (const decimalAmount of ['0', '7.01', '1.234', 'all']) {
    const refused = await world.ada.fetch(`POST /api/payments/${payment.id}/capture`, { decimalAmount })
    expect([refused.status, await refused.json()]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ path: 'decimalAmount' })] }),
    ])
  }
  await world.ada.fetchJson(`POST /api/payments/${payment.id}/capture`, { decimalAmount: '6.50' })
  expect(await shop.order(id)).toMatchObject({ status: 'paid', captured: 650 })
})

test('PAY-11 refund of a decimal amount is checked against what is left', async () => {
  const { id } = await shop.sell()
  const refused = await world.ada.fetch('POST /api/refunds', { orderId: id, decimalAmount: '7.01' })
  expect([refused.status, await refused.json()]).toEqual([
    422,
    expect.objectContaining({ errors: [expect.objectContaining({ path: 'decimalAmount' })] }),
  ])
  await world.ada.fetchJson('POST /api/refunds', { orderId: id, decimalAmount: '2.50' }, 201)
  expect(await shop.order(id)).toMatchObject({ status: 'partially_refunded', refunded: 250 })
})

test('PAY-31 dashboard counts takings, refunds and fees of one currency as the ledger does', async () => {
  const read = () => world.mallory.fetchJson<ShownDashboard>('GET /api/pay/dashboard?currency=CHF')
  expect((await read()).totals).toEqual({ takings: 0, refunds: 0, disputes: 0, fees: 0, net: 0, paidOrders: 0 })
  const hers = shopOf(world.mallory, world.stranger)
  const sold = await hers.sell({ ...coffee, currency: 'CHF' })
  await hers.sell({ ...coffee, currency: 'EUR' })
  await world.mallory.fetchJson('POST /api/refunds', { orderId: sold.id, amount: 200 }, 201)
  const { totals, days, balances } = await read()
  expect(totals).toMatchObject({ takings: 700, refunds: 200, disputes: 0, paidOrders: 1 })
  expect(totals.net).toBe(totals.takings - totals.refunds - totals.fees)
  expect(days).toHaveLength(7)
  expect(days.at(-1)).toMatchObject({ takings: 700, refunds: 200 })
  expect(balances.find(({ currency }) => currency === 'CHF')).toMatchObject({ available: 500, held: 0 })
})

test('PAY-31 dashboard tells methods, declines, reasons of refunds and venues, of one merchant or all', async () => {
  const { mallory } = world
  const hers = shopOf(mallory, world.stranger)
  const draft = { ...coffee, currency: 'DKK' }
  const sold = await hers.sell(draft, cards.good)
  await mallory.fetchJson('POST /api/refunds', { orderId: sold.id, amount: 200, reason: 'damaged' }, 201)
  await mallory.fetchJson('POST /api/refunds', { orderId: sold.id, amount: 100, reason: 'duplicate' }, 201)
  const venueId = Bun.randomUUIDv7()
  await world.database.sql`
    INSERT INTO payments.venues (id, organization_id, merchant_id, name)
    VALUES (${venueId}, ${mallory.things.organizations}, ${sold.merchant.id}, 'Mitte')`
  await hers.sell({ ...draft, venueId }, cards.mastercard)
  const declined = await hers.createPayment((await hers.createOrder(draft)).id)
  // As if the provider had reported the declined card.
  await world.database.sql`
    UPDATE payments.payments SET status = 'failed', failure_code = 'insufficient_funds', failure_message = 'Declined.'
    WHERE id = ${declined.id}`
  await hers.createPayment((await hers.createOrder(draft)).id)
  const bank = { organizationId: mallory.things.organizations, merchantId: sold.merchant.id, currency: 'DKK' }
  for (const [kind, sign] of [
    ['bank_payout', 1n],
    ['bank_payout_returned', -1n],
  ] as const)
    await post(world.database, {
      ...bank,
      kind,
      at: new Date(),
      entries: [
        { account: 'clearing', amount: sign * -500n },
        { account: 'bank', amount: sign * 500n },
      ],
    })
  const read = (query = '') => mallory.fetchJson<ShownDashboard>(`GET /api/pay/dashboard?currency=DKK${query}`)
  const shown = await read()
  expect(shown.methods.toSorted((one, other) => (one.brand ?? '').localeCompare(other.brand ?? ''))).toEqual([
    { brand: 'mastercard', amount: 700, payments: 1 },
    { brand: 'visa', amount: 700, payments: 1 },
  ])
  expect(shown.payments).toEqual({ succeeded: 2, declined: 1, open: 1, abandoned: 0 })
  expect(shown.declines).toEqual([{ code: 'insufficient_funds', payments: 1 }])
  expect(shown.refundReasons).toEqual([
    { reason: 'damaged', amount: 200, refunds: 1 },
    { reason: 'duplicate', amount: 100, refunds: 1 },
  ])
  expect(shown.payouts.map(({ amount, isReturned }) => [amount, isReturned])).toEqual([
    [500, true],
    [500, false],
  ])
  expect(shown.venues.map(({ name, takings }) => [name, takings.at(-1)])).toEqual([
    ['Mitte', 700],
    [null, 700],
  ])
  const { merchant } = sold
  const own = await read(`&merchantId=${merchant.id}`)
  expect([own.totals, own.methods, own.payments, own.refundReasons, own.venues]).toEqual([
    shown.totals,
    shown.methods,
    shown.payments,
    shown.refundReasons,
    shown.venues,
  ])
  const none = await read(`&merchantId=${Bun.randomUUIDv7()}`)
  expect([none.totals.takings, none.methods, none.refundReasons, none.balances, none.recent]).toEqual([
    0,
    [],
    [],
    [],
    [],
  ])
})

interface ShownDashboard {
  recent: unknown[]
  payouts: { amount: number; isReturned: boolean }[]
  methods: { brand: string | null; amount: number; payments: number }[]
  payments: Record<'succeeded' | 'declined' | 'open' | 'abandoned', number>
  declines: unknown[]
  refundReasons: unknown[]
  venues: { name: string | null; takings: number[] }[]
  totals: Record<'takings' | 'refunds' | 'disputes' | 'fees' | 'net' | 'paidOrders', number>
  days: { day: string; takings: number; refunds: number }[]
  balances: { currency: string; available: number; held: number }[]
}

test('PAY-31 widget of payments is found by its app, and needs a signed-in member', async () => {
  expect(await world.ada.fetchJson('GET /api/widget?app=platform-pay')).toMatchObject({
    app: { slug: 'platform-pay', name: 'Payments' },
    metrics: [
      { label: 'Takings today' },
      { label: 'Refunds today' },
      { label: 'Takings in 14 days' },
      { label: 'Payments today' },
    ],
    series: [{ label: 'Takings per day', points: expect.any(Array) }],
  })
  expect((await world.stranger.fetch('GET /api/widget?app=platform-pay')).status).toBe(401)
})

test('PAY-02 receipt reads the payment from the provider, and shows nothing personal', async () => {
  const customer = { email: 'lena.vogt@example.com', name: 'Lena Vogt' }
  const { id } = await shop.createOrder({ ...coffee, customer, metadata: { table: 'secret-7' } })
  const payment = await shop.createPayment(id)
  const token = await receiptOf(payment)
  const read = () => world.stranger.fetchJson<ShownReceipt>(`GET /api/pay/receipts/${token}`)
  expect(await read()).toMatchObject({ status: 'unpaid', total: 700 })
  await shop.pay(payment, cards.good)
  // Only the receipt asks the provider.
  expect(await read()).toMatchObject({ status: 'paid', lines: [{ name: 'Latte', quantity: 2, total: 700 }] })
  expect(await shop.order(id)).toMatchObject({ status: 'paid' })
  const page = await world.stranger.fetch(`GET /pay/receipts/${token}`, undefined, navigation)
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  const text = await page.text()
  expect(text).toContain('Thank you for your order')
  for (const secret of ['lena.vogt', 'Lena Vogt', 'secret-7', id, payment.id]) expect(text).not.toContain(secret)
  expect((await world.stranger.fetch(`GET /api/pay/receipts/${'x'.repeat(43)}`)).status).toBe(404)
})

test('PAY-02 search finds orders by number and customer in the own organization', async () => {
  const { id, number } = await shop.createOrder({ ...coffee, customer: { email: 'needle@example.com' } })
  const find = async (who: Pick<World['ada'], 'fetchJson'>, words: string) => {
    const { items } = await who.fetchJson<{ items: { kind: string; label: string; href: string }[] }>(
      `GET /api/search?q=${words}`,
    )
    return items.map(({ kind, label, href }) => `${kind} ${label} ${href}`)
  }
  expect(await find(world.ada, 'needle')).toContain(`order ${number} /pay/orders/${id}`)
  expect(await find(world.ada, number)).toContain(`order ${number} /pay/orders/${id}`)
  expect((await find(world.mallory, 'needle')).join('\n')).not.toContain(id)
  expect(await find(world.ada, 'overview')).toContain('page Overview /pay')
})

test('PLT-40 quick bar of narrow screens marks the place of the page, and none when it leaves it out', async () => {
  const markedAt = async (path: string): Promise<(string | undefined)[]> => {
    const [bar = ''] = /<nav class="tabbar".*?<\/nav>/s.exec(await pageOf(world.ada, path)) ?? []
    return [...bar.matchAll(/<a href="([^"]*)" aria-current/g)].map(([, href]) => href)
  }
  expect([await markedAt('/pay/orders'), await markedAt('/pay/invoices')]).toEqual([['/pay/orders'], []])
})
