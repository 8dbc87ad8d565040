import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { openWorld, type World } from '../../support/world.ts'
import { scaleTime } from '../../support/time-scale.ts'
import type { Merchant } from '../ledger-fixtures.ts'
import { addMerchantIn } from './fixtures.ts'

let world: World
let merchant: Merchant

const orders = Number(process.env.REPORTS_ORDERS ?? 5_000)

beforeAll(async () => {
  world = await openWorld()
  merchant = await addMerchantIn(world, world.ada.things.organizations, 'Europe/Berlin')
  await fill()
})
afterAll(() => world.close())

/** A year of captured orders, around the code that posts them one by one. */
async function fill(): Promise<void> {
  const { merchantId, organizationId } = merchant
  await world.database.sql.begin(async (sql) => {
    await sql`SET LOCAL session_replication_role = replica`
    await sql`
      CREATE TEMPORARY TABLE sold ON COMMIT DROP AS
      SELECT at, uuidv7() AS order_id, uuidv7() AS id, date '2025-01-01' + (at * 365 / ${orders}::integer) AS day
      FROM generate_series(0, ${orders}::integer - 1) AS at`
    await sql`
      INSERT INTO payments.orders (id, organization_id, merchant_id, number, currency, tax_mode, tax_rounding, subtotal,
        discount, tax, total)
      SELECT order_id, ${organizationId}, ${merchantId}, 'size-' || at, 'EUR', 'inclusive', 'line', 1190, 0, 190, 1190 FROM sold`
    await sql`
      INSERT INTO payments.payments (id, organization_id, order_id, mode, capture_method, status, amount, currency, captured,
        receipt_token, card_brand)
      SELECT uuidv7(), ${organizationId}, order_id, 'checkout', 'automatic', 'succeeded', 1190, 'EUR', 1190, order_id,
        CASE at % 2 WHEN 0 THEN 'visa' ELSE 'mastercard' END FROM sold`
    await sql`
      INSERT INTO payments.order_lines (order_id, organization_id, position, name, quantity, unit_amount, discount,
        tax_rate, tax, total)
      SELECT order_id, ${organizationId}, 1, 'Beans', 1, 1190, 0, 190000, 190, 1190 FROM sold`
    await sql`
      INSERT INTO payments.ledger_transactions (id, organization_id, merchant_id, sequence, kind, currency, at, booked_on,
        order_id, entry_count, previous_hash, hash)
      SELECT id, ${organizationId}, ${merchantId}, at + 1, 'capture', 'EUR', day, day, order_id, 3, repeat('0', 64),
        repeat('0', 64) FROM sold`
    await sql`
      INSERT INTO payments.ledger_entries (transaction_id, position, organization_id, merchant_id, account, currency, amount)
      SELECT id, position, ${organizationId}, ${merchantId}, account, 'EUR', amount
      FROM sold, (VALUES (1, 'clearing', 1150), (2, 'fees', 40), (3, 'merchant', -1190)) AS part (position, account, amount)`
    await sql`
      INSERT INTO payments.ledger_days (merchant_id, currency, day, venue_id, kind, account, organization_id, amount, entries)
      SELECT merchant_id, entry.currency, booked_on, '00000000-0000-0000-0000-000000000000', 'capture', account,
        ${organizationId}, sum(amount), count(*)
      FROM payments.ledger_transactions AS one JOIN payments.ledger_entries AS entry USING (merchant_id)
      WHERE entry.transaction_id = one.id AND one.merchant_id = ${merchantId} GROUP BY 1, 2, 3, 6`
  })
  await world.database.sql.unsafe('ANALYZE payments.ledger_transactions, payments.ledger_entries, payments.ledger_days')
  await world.database.sql.unsafe('ANALYZE payments.orders, payments.order_lines, payments.payments')
}

const Plan = z.array(z.object({ 'QUERY PLAN': z.string() }))

const routes = {
  'a year by month': 'takings?by=month&from=2025-01-01&to=2025-12-31',
  'a year by day': 'takings?by=day&limit=100&from=2025-01-01&to=2025-12-31',
  'a year by method': 'takings?by=method&from=2025-01-01&to=2025-12-31',
  'fees of a year by day': 'fees?by=day&limit=100&from=2025-01-01&to=2025-12-31',
  'payouts of a year': 'payouts?by=month&from=2025-01-01&to=2025-12-31',
  'a month as PDF': 'statement/pdf?month=2025-06',
  'a month with its taxes': 'statement?month=2025-06',
  'taxes of a month': 'taxes?month=2025-06',
  periods: 'periods?limit=20',
}

test.each(Object.entries(routes))('PAY-30 report of %s takes less than 1 s', async (_, route) => {
  const path = `GET /api/reports/${route}&merchantId=${merchant.merchantId}`
  const started = performance.now()
  expect((await world.ada.fetch(path)).status).toBe(200)
  const took = performance.now() - started
  if (process.env.REPORTS_ORDERS) console.log(route, Math.round(took), 'ms')
  expect(took).toBeLessThan(scaleTime(1_000))
})

test('PAY-35 first lines of an export come within 1 s', async () => {
  const started = performance.now()
  const { body } = await world.ada.fetch(`GET /api/reports/accounting?month=2025-06&merchantId=${merchant.merchantId}`)
  await body?.getReader().read()
  expect(performance.now() - started).toBeLessThan(scaleTime(1_000))
})

test('PAY-30 reports read days and transactions of their merchant by an index, not whole tables', async () => {
  const { sql } = world.database
  const planOf = async (query: ReturnType<typeof sql>) =>
    Plan.parse(await query)
      .map((row) => row['QUERY PLAN'])
      .join('\n')
  expect(
    await planOf(sql`
      EXPLAIN SELECT day, sum(amount) FROM payments.ledger_days
      WHERE merchant_id = ${merchant.merchantId} AND currency = 'EUR' AND day BETWEEN '2025-06-01' AND '2025-06-30' GROUP BY 1`),
  ).not.toContain('Seq Scan')
  expect(
    await planOf(sql`
      EXPLAIN SELECT id FROM payments.ledger_transactions
      WHERE merchant_id = ${merchant.merchantId} AND booked_on BETWEEN '2025-06-01' AND '2025-06-30'
        AND (booked_on, sequence) > ('2025-06-10'::date, 0) ORDER BY booked_on, sequence LIMIT 500`),
  ).toContain('ledger_transactions_by_day')
})
