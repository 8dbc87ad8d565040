import { afterAll, beforeAll, expect, test } from 'bun:test'
import type {
  DisputeReport,
  FeeReport,
  PayoutReport,
  RefundReport,
  Takings,
} from '../../../src/payments/contract/reports.ts'
import type { Posting } from '../../../src/payments/ledger/post.ts'
import { openWorld, type World } from '../../support/world.ts'
import { textOf } from '../invoicing.ts'
import { capture, postAll, type Merchant } from '../ledger-fixtures.ts'
import { cards, coffee, shopOf } from '../shop.ts'
import { addMerchantIn, disputeLost, disputeOpened, refundSent, refundSettled } from './fixtures.ts'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

const march = 'from=2026-03-01&to=2026-03-31'
const read = <Report>({ merchantId }: Merchant, report: string, query = march) =>
  world.ada.fetchJson<Report>(`GET /api/reports/${report}?limit=100&merchantId=${merchantId}&${query}`)

const movement = (
  merchant: Merchant,
  at: string,
  part: Pick<Posting, 'kind' | 'entries'>,
  currency = 'EUR',
): Posting => ({ ...merchant, at: new Date(at), currency, ...part })

const kindOf = (kind: Posting['kind'], entries: Posting['entries']) => ({ kind, entries })

/** A merchant with every kind of movement, in the night in which clocks change and on another day. */
async function fill(currency = 'EUR'): Promise<Merchant> {
  const merchant = await addMerchantIn(world, world.ada.things.organizations, 'Europe/Berlin')
  const days = ['2026-03-28T22:59:59Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z']
  await postAll(
    world.database,
    days.flatMap((at) => [
      capture(merchant, 10_000n, 175n, { at: new Date(at), currency }),
      movement(merchant, at, refundSent(2_000n), currency),
      movement(merchant, at, refundSettled(2_000n), currency),
      movement(
        merchant,
        at,
        kindOf('refund_reversed', [
          { account: 'refunds_in_transit', amount: 500n },
          { account: 'merchant', amount: -500n },
        ]),
        currency,
      ),
      movement(merchant, at, disputeOpened(1_500n, 20n), currency),
      movement(merchant, at, disputeLost(1_500n), currency),
      movement(
        merchant,
        at,
        kindOf('fee', [
          { account: 'fees', amount: 33n },
          { account: 'clearing', amount: -33n },
        ]),
        currency,
      ),
      movement(
        merchant,
        at,
        kindOf('bank_payout', [
          { account: 'bank', amount: 700n },
          { account: 'clearing', amount: -700n },
        ]),
        currency,
      ),
      movement(
        merchant,
        at,
        kindOf('bank_payout_returned', [
          { account: 'bank', amount: -200n },
          { account: 'clearing', amount: 200n },
        ]),
        currency,
      ),
    ]),
  )
  return merchant
}

interface OfLedger {
  account: string
  kinds?: string[]
}

/** What the ledger’s entries say. */
async function sumOf({ merchantId }: Merchant, { account, kinds }: OfLedger): Promise<number> {
  const rows = await world.database.sql<{ kind: string; amount: string }[]>`
    SELECT one.kind, entry.amount FROM payments.ledger_entries AS entry
    JOIN payments.ledger_transactions AS one ON one.id = entry.transaction_id
    WHERE one.merchant_id = ${merchantId} AND entry.account = ${account}`
  return rows.filter(({ kind }) => !kinds || kinds.includes(kind)).reduce((sum, { amount }) => sum + Number(amount), 0)
}

test.each(['EUR', 'KWD'])(
  'PAY-30 reports of fees, refunds, disputes and payouts equal the ledger to the cent, in %s',
  async (currency) => {
    const merchant = await fill(currency)
    const fees = await read<FeeReport>(merchant, 'fees')
    expect(fees.totals).toEqual([
      {
        currency,
        payments: 4,
        takings: 40_000,
        feesOfPayments: 700,
        feesOfRefunds: 0,
        feesOfDisputes: 80,
        feesOfOthers: 132,
        fees: 912,
      },
    ])
    expect(fees.totals[0]?.fees).toBe(await sumOf(merchant, { account: 'fees' }))
    const refunds = await read<RefundReport>(merchant, 'refunds')
    expect(refunds.totals).toEqual([
      { currency, refundCount: 4, refundsSent: 8_000, refundsReturned: 2_000, refunds: 6_000 },
    ])
    expect(refunds.totals[0]?.refunds).toBe(
      await sumOf(merchant, { account: 'merchant', kinds: ['refund_created', 'refund_reversed'] }),
    )
    const disputes = await read<DisputeReport>(merchant, 'disputes')
    expect(disputes.totals).toMatchObject([
      {
        disputeCount: 4,
        disputesOpened: 6_000,
        disputesWon: 0,
        disputesLost: 6_000,
        feesOfDisputes: 80,
        disputes: 6_000,
      },
    ])
    const payouts = await read<PayoutReport>(merchant, 'payouts')
    expect(payouts.totals).toMatchObject([
      { payoutCount: 4, bankPayouts: 2_800, bankReturned: 800, settlements: 0, payouts: 2_000 },
    ])
    expect(payouts.totals[0]?.payouts).toBe(await sumOf(merchant, { account: 'bank' }))
    for (const report of [fees, refunds, disputes, payouts])
      expect(report.items.map(({ from }) => from)).toEqual(['2026-03-30', '2026-03-29', '2026-03-28'])
    expect(fees.items.map((row) => row.fees)).toEqual([228, 456, 228])
  },
)

test('PAY-30 rows of each step add up to the total of their report', async () => {
  const merchant = await fill()
  for (const by of ['day', 'week', 'month', 'venue', 'method']) {
    const { items, totals } = await read<FeeReport>(merchant, 'fees', `${march}&by=${by}`)
    expect(items.reduce((sum, { fees }) => sum + fees, 0)).toBe(totals[0]?.fees ?? 0)
    expect(items.reduce((sum, { payments }) => sum + payments, 0)).toBe(totals[0]?.payments ?? 0)
  }
})

test('PAY-30 report by method has at most 366 days', async () => {
  const read366 = async (to: string) =>
    (await world.ada.fetch(`GET /api/reports/takings?by=method&from=2025-01-01&to=${to}`)).status
  expect([await read366('2026-01-01'), await read366('2026-01-02')]).toEqual([200, 422])
})

test('PAY-30 takings are grouped by the card with which orders were paid, with their refunds and fees', async () => {
  const shop = shopOf(world.ada, world.stranger)
  const merchant = await addMerchantIn(world, world.ada.things.organizations, 'Europe/Berlin')
  const draft = { ...coffee, merchantId: merchant.merchantId }
  const visa = await shop.sell(draft, cards.good)
  await shop.sell(draft, cards.mastercard)
  await world.ada.fetchJson('POST /api/refunds', { orderId: visa.id, amount: 200 }, 201)
  await postAll(world.database, [
    movement(
      merchant,
      new Date().toISOString(),
      kindOf('fee', [
        { account: 'fees', amount: 12n },
        { account: 'clearing', amount: -12n },
      ]),
    ),
  ])
  const { items, totals } = await read<Takings>(merchant, 'takings', 'by=method')
  expect(items).toMatchObject([
    { method: 'visa', payments: 1, takings: 700, refunds: 200 },
    { method: 'mastercard', payments: 1, takings: 700, refunds: 0 },
    { method: null, payments: 0, takings: 0, fees: 12 },
  ])
  for (const column of ['takings', 'refunds', 'fees', 'net'] as const)
    expect(items.reduce((sum, row) => sum + row[column], 0)).toBe(totals[0]?.[column] ?? 0)
})

test('PAY-30 exports of reports have decimal numbers of their currency', async () => {
  const merchant = await fill('KWD')
  const csvOf = async (report: string) =>
    (
      await (
        await world.ada.fetch(`GET /api/reports/${report}/export?merchantId=${merchant.merchantId}&${march}`)
      ).text()
    ).split('\r\n')
  const [head, first] = await csvOf('fees')
  expect(head).toBe(
    'from,to,merchant,venue,method,currency,payments,takings,feesOfPayments,feesOfRefunds,feesOfDisputes,feesOfOthers,fees',
  )
  expect(first).toBe(`2026-03-30,2026-03-30,${merchant.merchantId},,,KWD,1,10.000,0.175,0.000,0.020,0.033,0.228`)
  for (const report of ['refunds', 'disputes', 'payouts']) expect(await csvOf(report)).toHaveLength(5)
})

test('PAY-30 reports of others are 404', async () => {
  const merchant = await fill()
  for (const report of ['fees', 'refunds', 'disputes', 'payouts', 'fees/export']) {
    const response = await world.mallory.fetch(`GET /api/reports/${report}?merchantId=${merchant.merchantId}`)
    expect(response.status).toBe(404)
  }
})

test('PAY-30 statement of a month is a PDF with its movements, balances and taxes', async () => {
  const merchant = await fill()
  const query = `merchantId=${merchant.merchantId}&month=2026-03`
  const response = await world.ada.fetch(`GET /api/reports/statement/pdf?${query}`)
  expect(response.headers.get('content-type')).toBe('application/pdf')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = (await textOf(bytes)).join(' ')
  for (const part of [
    'Statement March 2026',
    merchant.merchantId,
    'Takings (4 payments)',
    '€400.00',
    '-€9.12',
    'Page 1 of',
  ])
    expect(text).toContain(part)
  expect(text).toContain('Payment provider')
  const again = await world.ada.fetch(`GET /api/reports/statement/pdf?${query}`)
  expect(Buffer.from(await again.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true)
  expect((await world.mallory.fetch(`GET /api/reports/statement/pdf?${query}`)).status).toBe(404)
})

test('PAY-30 taxes of a month are exported with decimal numbers', async () => {
  const shop = shopOf(world.ada, world.stranger)
  const merchant = await addMerchantIn(world, world.ada.things.organizations, 'Europe/Berlin')
  const lines = [{ name: 'Beans', quantity: 1, unitAmount: 1_190, taxRate: '19' }]
  await shop.sell({ currency: 'EUR', lines, merchantId: merchant.merchantId })
  const month = Temporal.Now.plainDateISO('Europe/Berlin').toString().slice(0, 7)
  const response = await world.ada.fetch(
    `GET /api/reports/taxes/export?merchantId=${merchant.merchantId}&month=${month}`,
  )
  expect((await response.text()).split('\r\n').slice(0, 2)).toEqual([
    'month,merchant,currency,rate,gross,net,tax',
    `${month},${merchant.merchantId},EUR,19,11.90,10.00,1.90`,
  ])
})
