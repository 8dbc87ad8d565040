import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { openWorld, type World } from '../../support/world.ts'
import { scaleTime } from '../../support/time-scale.ts'
import type { Merchant } from '../ledger-fixtures.ts'
import { fillYear } from '../volume.ts'
import { addMerchantIn } from './fixtures.ts'

let world: World
let merchant: Merchant

const orders = Number(process.env.REPORTS_ORDERS ?? 5_000)

beforeAll(async () => {
  world = await openWorld()
  merchant = await addMerchantIn(world, world.ada.things.organizations, 'Europe/Berlin')
  await fillYear(world, merchant, orders)
})
afterAll(() => world.close())

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

test.each(Object.entries(routes))('PAY-30 report of %s takes less than 1 s, or 5 s as PDF', async (_, route) => {
  const path = `GET /api/reports/${route}&merchantId=${merchant.merchantId}`
  const started = performance.now()
  expect((await world.ada.fetch(path)).status).toBe(200)
  const took = performance.now() - started
  if (process.env.REPORTS_ORDERS) console.log(route, Math.round(took), 'ms')
  // A PDF is drawn in a process that yields to the server.
  expect(took).toBeLessThan(scaleTime(route.includes('/pdf') ? 5_000 : 1_000))
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
