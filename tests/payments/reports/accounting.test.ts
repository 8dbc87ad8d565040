import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { z } from 'zod'
import { Currency, parseMoney } from '#lib/money.ts'
import { newId } from '#lib/ids.ts'
import { AccountingLine, type AccountChart } from '../../../src/payments/contract/accounting.ts'
import type { Statement, Takings, TaxReport } from '../../../src/payments/contract/reports.ts'
import type { LedgerTransactionList } from '../../../src/payments/contract/ledger.ts'
import type { Posting } from '../../../src/payments/ledger/post.ts'
import { openWorld, type World } from '../../support/world.ts'
import { capture, postAll, type Merchant } from '../ledger-fixtures.ts'
import { addMerchantIn, disputeLost, disputeOpened, refundSent, refundSettled, transferred } from './fixtures.ts'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

const addMerchant = () => addMerchantIn(world, world.ada.things.organizations, 'Europe/Berlin')

type Line = z.output<typeof AccountingLine>

async function exportMonth({ merchantId }: Merchant, month: string): Promise<Line[]> {
  const response = await world.ada.fetch(`GET /api/reports/accounting?merchantId=${merchantId}&month=${month}`)
  expect(response.headers.get('content-type')).toStartWith('text/csv')
  const [header = '', ...rows] = (await response.text()).trimEnd().split('\r\n')
  const names = header.split(',')
  return rows.map((row) =>
    AccountingLine.parse(Object.fromEntries(cellsOf(row).map((cell, at) => [names[at] ?? '', cell]))),
  )
}

const cellsOf = (row: string): string[] =>
  row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replaceAll(/^"|"$/g, '').replaceAll('""', '"'))

const unitsOf = (text: string, currency: string): bigint =>
  text === '' ? 0n : parseMoney(text, Currency.parse(currency)).minor
const amountOf = ({ debit, credit, currency }: Line): bigint => unitsOf(debit, currency) - unitsOf(credit, currency)

function sumBy<Item>(items: readonly Item[], keyOf: (item: Item) => string, sumOf: (item: Item) => bigint) {
  const sums: Record<string, bigint> = {}
  for (const item of items) sums[keyOf(item)] = (sums[keyOf(item)] ?? 0n) + sumOf(item)
  return sums
}

interface Priced {
  currency?: string
  lines: { gross: number; tax: number; rate: number }[]
}

/** An order of which nothing was paid, with totals of lines that include their tax. */
async function addOrder(
  { organizationId, merchantId }: Merchant,
  { currency = 'EUR', lines }: Priced,
): Promise<string> {
  const id = newId()
  const total = lines.reduce((sum, { gross }) => sum + gross, 0)
  const tax = lines.reduce((sum, line) => sum + line.tax, 0)
  await world.database.sql`
    INSERT INTO payments.orders (id, organization_id, merchant_id, number, currency, tax_mode, tax_rounding, subtotal,
      discount, tax, total)
    VALUES (${id}, ${organizationId}, ${merchantId}, ${id}, ${currency}, 'inclusive', 'line', ${total}, 0, ${tax}, ${total})`
  for (const [at, { gross, tax: own, rate }] of lines.entries())
    await world.database.sql`
      INSERT INTO payments.order_lines (order_id, organization_id, position, name, quantity, unit_amount, discount,
        tax_rate, tax, total)
      VALUES (${id}, ${organizationId}, ${at + 1}, 'Beans', 1, ${gross}, 0, ${rate * 10_000}, ${own}, ${gross})`
  return id
}

const of = (merchant: Merchant, at: string, orderId: string, part: Pick<Posting, 'kind' | 'entries'>): Posting => ({
  ...merchant,
  at: new Date(at),
  currency: 'EUR',
  orderId,
  ...part,
})

const mixed = {
  lines: [
    { gross: 1_190, tax: 190, rate: 19 },
    { gross: 107, tax: 7, rate: 7 },
    { gross: 3, tax: 0, rate: 0 },
  ],
}

test('PAY-35 export of a month splits revenue and tax by rate, and each document balances', async () => {
  const merchant = await addMerchant()
  const orderId = await addOrder(merchant, mixed)
  await postAll(world.database, [
    capture(merchant, 1_300n, 30n, { at: new Date('2026-05-10T10:00:00Z'), orderId }),
    of(merchant, '2026-05-12T10:00:00Z', orderId, refundSent(1_300n)),
  ])
  const lines = await exportMonth(merchant, '2026-05')
  expect(
    lines.map(({ date, document, account, debit, credit, taxRate }) =>
      [date, document, account, debit, credit, taxRate].join(' '),
    ),
  ).toEqual([
    '2026-05-10 1 1460 12.70  ',
    '2026-05-10 1 6855 0.30  ',
    '2026-05-10 1 4000  0.03 0',
    '2026-05-10 1 4000  1.00 7',
    '2026-05-10 1 3800  0.07 7',
    '2026-05-10 1 4000  10.00 19',
    '2026-05-10 1 3800  1.90 19',
    '2026-05-12 2 4000 0.03  0',
    '2026-05-12 2 4000 1.00  7',
    '2026-05-12 2 3800 0.07  7',
    '2026-05-12 2 4000 10.00  19',
    '2026-05-12 2 3800 1.90  19',
    '2026-05-12 2 3510  13.00 ',
  ])
})

test('PAY-35 parts of partial refunds add up to the taxes of their order, whatever their order of rounding', async () => {
  const merchant = await addMerchant()
  const orderId = await addOrder(merchant, mixed)
  const parts = [1n, 433n, 2n, 865n - 2n, 1n]
  await postAll(world.database, [
    capture(merchant, 1_300n, 30n, { at: new Date('2026-06-01T10:00:00Z'), orderId }),
    ...parts.map((amount) => of(merchant, '2026-06-02T10:00:00Z', orderId, refundSent(amount))),
  ])
  const lines = await exportMonth(merchant, '2026-06')
  expect(Object.values(sumBy(lines, ({ document, currency }) => `${document} ${currency}`, amountOf))).toEqual(
    Array.from({ length: 6 }, () => 0n),
  )
  const ofMerchant = lines.filter(({ ledgerAccount }) => ledgerAccount === 'merchant')
  expect(Object.values(sumBy(ofMerchant, ({ account, taxRate }) => `${account} ${taxRate}`, amountOf))).toEqual(
    Array.from({ length: 5 }, () => 0n),
  )
})

test('PAY-35 export has the organization’s own accounts, tax accounts and tax codes, which only settings:write changes', async () => {
  const merchant = await addMerchant()
  const orderId = await addOrder(merchant, { lines: [{ gross: 119, tax: 19, rate: 19 }] })
  await postAll(world.database, [capture(merchant, 119n, 3n, { at: new Date('2026-07-10T10:00:00Z'), orderId })])
  const edit = {
    accounts: [{ account: 'clearing', code: '1461', name: 'Stripe' }],
    rates: [{ rate: '19', revenue: '4400', tax: '3806', taxCode: '3' }],
  }
  expect((await world.vera.fetch('PUT /api/reports/accounts', edit)).status).toBe(403)
  const saved = await world.ada.fetchJson<AccountChart>('PUT /api/reports/accounts', edit)
  const codes = new Map(saved.accounts.map(({ account, code }) => [account, code]))
  expect(codes.get('clearing')).toBe('1461')
  expect(codes.get('fees')).toBe('6855')
  const lines = await exportMonth(merchant, '2026-07')
  expect(lines.map(({ account, taxCode }) => [account, taxCode])).toEqual([
    ['1461', ''],
    ['6855', ''],
    ['4400', '3'],
    ['3806', '3'],
  ])
  const refusal = await world.ada.fetch('PUT /api/reports/accounts', {
    accounts: [{ account: 'fees', code: '=1', name: 'Fees' }],
  })
  expect(refusal.status).toBe(422)
  const stale = await world.ada.fetch('PUT /api/reports/accounts', edit, { 'if-match': '"1"' })
  expect(stale.status).toBe(409)
  await world.ada.fetchJson('PUT /api/reports/accounts', { accounts: [], rates: [] })
})

/** A generator whose numbers a seed repeats. */
function randomOf(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const months = ['2026-03', '2026-10']

test.each(months)(
  'PAY-30 PAY-35 an accountant’s %s equals the ledger to the cent, across a change of clocks and in currencies with 0, 2 and 3 decimals',
  async (month) => {
    const merchant = await addMerchant()
    const random = randomOf(Number(process.env.REPORTS_SEED ?? 20_261))
    const first = Temporal.PlainDate.from(`${month}-01`)
    /** From the day before to the day after the month, also in the hours around midnight and the change. */
    const someTime = () =>
      new Date(first.toZonedDateTime('UTC').epochMilliseconds + (random(33 * 24 * 60) - 24 * 60) * 60_000)
    const postings: Posting[] = []
    for (const currency of ['EUR', 'JPY', 'KWD'])
      for (let count = 0; count < 40; count += 1) {
        const lines = [19, 7, 0].slice(0, 1 + random(3)).map((rate) => {
          const gross = 1 + random(50_000)
          return { gross, rate, tax: Math.round((gross * rate) / (100 + rate)) }
        })
        const total = BigInt(lines.reduce((sum, { gross }) => sum + gross, 0))
        const orderId = await addOrder(merchant, { currency, lines })
        const make = (part: Pick<Posting, 'kind' | 'entries'>) => ({
          ...merchant,
          orderId,
          currency,
          at: someTime(),
          ...part,
        })
        postings.push(capture(merchant, total, BigInt(random(40)), { orderId, currency, at: someTime() }))
        const refund = BigInt(random(Number(total) + 1))
        const fate = random(4)
        if (fate === 0 && refund > 0n) postings.push(make(refundSent(refund)), make(refundSettled(refund)))
        if (fate === 1) postings.push(make(disputeOpened(total, 15n)), make(disputeLost(total)))
        if (fate === 2) postings.push(make(transferred(1n + BigInt(random(1_000)))))
      }
    await postAll(world.database, postings)

    const inMonth = postings.filter(
      ({ at }) => at.toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' }).slice(0, 7) === month,
    )
    const entries = inMonth.flatMap((posting) => posting.entries.map((entry) => ({ ...entry, ...posting, ...entry })))
    const ofLedger = sumBy(
      entries.filter(({ amount }) => amount !== 0n),
      ({ account, currency }) => `${account} ${currency}`,
      ({ amount }) => amount,
    )

    const lines = await exportMonth(merchant, month)
    expect(sumBy(lines, ({ ledgerAccount, currency }) => `${ledgerAccount} ${currency}`, amountOf)).toEqual(ofLedger)
    const documents = sumBy(lines, ({ document, currency }) => `${document} ${currency}`, amountOf)
    expect(Object.values(documents).every((sum) => sum === 0n)).toBe(true)
    expect(Object.keys(documents)).toHaveLength(inMonth.length)

    const last = first.add({ months: 1 }).subtract({ days: 1 }).toString()
    const range = `merchantId=${merchant.merchantId}&from=${month}-01&to=${last}`
    const { totals, items } = await world.ada.fetchJson<Takings>(`GET /api/reports/takings?limit=100&${range}`)
    const statement = await world.ada.fetchJson<Statement>(
      `GET /api/reports/statement?merchantId=${merchant.merchantId}&month=${month}`,
    )
    const { items: taxes } = await world.ada.fetchJson<TaxReport>(
      `GET /api/reports/taxes?merchantId=${merchant.merchantId}&month=${month}`,
    )
    for (const currency of ['EUR', 'JPY', 'KWD']) {
      const sum = (account: string) => ofLedger[`${account} ${currency}`] ?? 0n
      const total = totals.find((each) => each.currency === currency)
      const stated = statement.currencies.find((each) => each.currency === currency)
      const takings = inMonth
        .filter((posting) => posting.currency === currency && posting.kind === 'capture')
        .flatMap((posting) => posting.entries)
        .reduce((all, { account, amount }) => (account === 'merchant' ? all - amount : all), 0n)
      expect(BigInt(total?.takings ?? 0)).toBe(takings)
      expect(BigInt(total?.fees ?? 0)).toBe(sum('fees'))
      expect(BigInt(total?.payouts ?? 0)).toBe(sum('float'))
      expect(BigInt((total?.net ?? 0) - (total?.payouts ?? 0))).toBe(sum('clearing') + sum('refunds_in_transit'))
      const days = items.filter((each) => each.currency === currency)
      for (const name of ['payments', 'takings', 'refunds', 'disputes', 'fees', 'other', 'net', 'payouts'] as const) {
        expect(days.reduce((all, day) => all + day[name], 0)).toBe(total?.[name] ?? 0)
        expect(stated?.[name]).toBe(total?.[name] ?? 0)
      }
      expect(
        Object.fromEntries((stated?.accounts ?? []).map(({ account, change }) => [account, BigInt(change)])),
      ).toMatchObject(
        Object.fromEntries(
          Object.entries(ofLedger).flatMap(([key, amount]) =>
            key.endsWith(currency) ? [[key.replace(` ${currency}`, ''), amount]] : [],
          ),
        ),
      )
      for (const { account, opening, closing } of stated?.accounts ?? []) {
        const before = postings
          .filter(({ at }) => at.toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' }) < `${month}-01`)
          .filter((posting) => posting.currency === currency)
          .flatMap((posting) => posting.entries)
          .reduce((all, entry) => (entry.account === account ? all + entry.amount : all), 0n)
        expect(BigInt(opening)).toBe(before)
        expect(BigInt(closing)).toBe(before + sum(account))
      }
      const ownTaxes = taxes.filter((each) => each.currency === currency)
      expect(BigInt(ownTaxes.reduce((all, { gross }) => all + gross, 0))).toBe(-sum('merchant'))
      const exported = lines.filter((line) => line.ledgerAccount === 'merchant' && line.currency === currency)
      for (const { rate, net, tax } of ownTaxes)
        expect([net, tax].map(BigInt)).toEqual(
          ['4000', '3800'].map((account) =>
            exported
              .filter((line) => line.account === account && line.taxRate === rate)
              .reduce((all, line) => all - amountOf(line), 0n),
          ),
        )
    }
    const { items: listed } = await world.ada.fetchJson<LedgerTransactionList>(
      `GET /api/ledger?limit=100&merchantId=${merchant.merchantId}`,
    )
    expect(listed.length).toBeGreaterThan(50)
  },
)

test('PAY-35 exported text can’t be a formula, and others get no export', async () => {
  const merchant = await addMerchant()
  await postAll(world.database, [
    capture(merchant, 100n, 3n, { at: new Date('2026-02-10T10:00:00Z'), providerTransactionId: '=HYPERLINK("x")' }),
  ])
  const response = await world.ada.fetch(`GET /api/reports/accounting?merchantId=${merchant.merchantId}&month=2026-02`)
  expect(await response.text()).toContain(`"'=HYPERLINK(""x"")"`)
  for (const path of ['accounting', 'statement', 'taxes']) {
    const route = `GET /api/reports/${path}?merchantId=${merchant.merchantId}&month=2026-02`
    expect((await world.mallory.fetch(route)).status).toBe(404)
    expect((await world.ada.fetch(route.replace('2026-02', '2026-13'))).status).toBe(422)
  }
})
