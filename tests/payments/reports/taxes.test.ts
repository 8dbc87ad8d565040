import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TaxReport } from '../../../src/payments/contract/reports.ts'
import { openWorld, type World } from '../../support/world.ts'
import { creditLines } from '../../../src/payments/invoices/credit-notes/credit-lines.ts'
import { invoicesOf } from '../invoicing.ts'
import { capture, post } from '../ledger-fixtures.ts'
import { addMerchantIn } from './fixtures.ts'
import { until } from '../provider.ts'
import { refundsOf } from '../refunding.ts'
import { cards, shopOf } from '../shop.ts'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

/** By currency, of which each test has its own. */
async function taxesOf(currency: string) {
  const { items } = await world.ada.fetchJson<{ items: { id: string; isDefault: boolean }[] }>('GET /api/merchants')
  const merchantId = items.find(({ isDefault }) => isDefault)?.id
  const month = Temporal.Now.plainDateISO('UTC').toString().slice(0, 7)
  const report = await world.ada.fetchJson<TaxReport>(`GET /api/reports/taxes?merchantId=${merchantId}&month=${month}`)
  return report.items
    .filter((each) => each.currency === currency)
    .map(({ rate, net, tax }) => ({ rate, net, tax }))
    .toSorted((one, other) => Number(one.rate) - Number(other.rate))
}

const basket = (currency: string) => ({
  currency,
  lines: [
    { name: 'Beans', quantity: 1, unitAmount: 10_700, taxRate: '7' },
    { name: 'Course', quantity: 1, unitAmount: 11_900, taxRate: '19' },
  ],
})

test('PAY-35 refund of a line takes back the tax of that line, as its credit note does', async () => {
  const shop = shopOf(world.ada, world.stranger)
  const order = await shop.sell(basket('USD'))
  await refundsOf(world).create({ orderId: order.id, lines: [{ position: 1, quantity: 1 }] })
  expect(await taxesOf('USD')).toEqual([
    { rate: '7', net: 0, tax: 0 },
    { rate: '19', net: 10_000, tax: 1_900 },
  ])
})

test('PAY-35 taxes of a month are those of its invoices without those of its credit notes, to the cent', async () => {
  const [shop, refunds, invoices] = [shopOf(world.ada, world.stranger), refundsOf(world), invoicesOf(world.ada)]
  const order = await shop.sell(basket('GBP'))
  const invoice = await invoices.issue({ orderId: order.id })
  for (const draft of [
    { amount: 333 },
    { lines: [{ position: 1, quantity: 1 }] },
    { amount: 1 },
    { amount: 2 },
    { amount: 1_001 },
  ]) {
    await refunds.create({ orderId: order.id, ...draft })
    const { creditNotes } = await invoices.read(invoice.id)
    const notes = await Promise.all(creditNotes.map(({ id }) => invoices.read(id)))
    const left = invoice.taxes.map(({ rate, net, tax }) => {
      const own = notes.flatMap(({ taxes }) => taxes.filter((each) => each.rate === rate))
      return {
        rate,
        net: own.reduce((rest, each) => rest - each.net, net),
        tax: own.reduce((rest, each) => rest - each.tax, tax),
      }
    })
    expect(await taxesOf('GBP')).toEqual(left.toReversed())
  }
})

test('PAY-35 refund of a line that fails gives the tax of that line back', async () => {
  const [shop, refunds] = [shopOf(world.ada, world.stranger), refundsOf(world)]
  const order = await shop.sell(basket('CHF'), cards.failedRefund)
  const before = await taxesOf('CHF')
  const { id } = await refunds.create({ orderId: order.id, lines: [{ position: 2, quantity: 1 }] })
  await until(
    () => refunds.check(id).catch(() => refunds.read(id)),
    ({ status }) => status === 'failed',
  )
  expect(await taxesOf('CHF')).toEqual(before)
})

test('PAY-35 amounts without an order are in the tax report without a rate', async () => {
  const merchant = await addMerchantIn(world, world.ada.things.organizations, 'UTC')
  await post(world.database, capture(merchant, 500n, 5n, { at: new Date('2026-05-10T12:00:00Z') }))
  const { items } = await world.ada.fetchJson<TaxReport>(
    `GET /api/reports/taxes?merchantId=${merchant.merchantId}&month=2026-05`,
  )
  expect(items).toEqual([{ currency: 'EUR', rate: null, gross: 500, net: 500, tax: 0 }])
})

test('PAY-30 draft of an order that was canceled since isn’t issued', async () => {
  const order = await shopOf(world.ada, world.stranger).createOrder()
  const invoices = invoicesOf(world.ada)
  const { id } = await invoices.draft({ orderId: order.id })
  await world.database.sql`UPDATE payments.orders SET status = 'cancelled' WHERE id = ${order.id}`
  expect(await invoices.refusal(`POST /api/invoices/${id}/issue`)).toMatchObject({
    status: 409,
    problem: { code: 'invoice_state' },
  })
})

test('PAY-35 credited tax of many refunds of a cent is never more than the tax of what is credited', () => {
  const lines = [{ position: 1, taxRate: 190_000, tax: 19n, total: 119n }]
  const notes: ReturnType<typeof creditLines> = []
  for (let count = 0; count < 119; count += 1) notes.push(...creditLines(lines, notes, { amount: 1n, parts: [] }))
  expect(notes.reduce((sum, { tax }) => sum + tax, 0n)).toBe(19n)
})

test('PAY-35 refund of a line takes no more from its rate than is left of it', () => {
  const lines = [
    { position: 1, taxRate: 70_000, tax: 7n, total: 107n },
    { position: 2, taxRate: 190_000, tax: 19n, total: 119n },
  ]
  const earlier = creditLines(lines, [], { amount: 100n, parts: [] })
  const named = creditLines(lines, earlier, { amount: 107n, parts: [{ position: 1, amount: 107 }] })
  const ofFirst = [...earlier, ...named].filter(({ taxRate }) => taxRate === 70_000)
  expect(ofFirst.reduce((sum, { total }) => sum + total, 0n)).toBe(107n)
  expect(named.reduce((sum, { total }) => sum + total, 0n)).toBe(107n)
})
