import { afterAll, beforeAll, expect, test } from 'bun:test'
import { scaleTime } from '../support/time-scale.ts'
import { openWorld, type World } from '../support/world.ts'
import type { Merchant } from './ledger-fixtures.ts'
import { readingOf } from './recorded-plans.ts'
import { addMerchantIn } from './reports/fixtures.ts'
import { fillYear } from './volume.ts'

const orders = Number(process.env['PAYMENTS_ORDERS'] ?? 30_000)

let world: World
let merchant: Merchant

beforeAll(async () => {
  world = await openWorld()
  merchant = await addMerchantIn(world, world.ada.things.organizations, 'Europe/Berlin')
  await fillYear(world, merchant, orders)
}, 120_000)
afterAll(() => world.close())

/** A cursor in the middle of a list. */
async function middleOf(table: string): Promise<string> {
  const [row] = await world.database.sql.unsafe<{ id: string }[]>(
    `SELECT id FROM ${table} WHERE organization_id = $1 ORDER BY id
    OFFSET (SELECT count(*) / 2 FROM ${table} WHERE organization_id = $1) LIMIT 1`,
    [merchant.organizationId],
  )
  return Buffer.from(JSON.stringify({ id: row?.id })).toString('base64url')
}

/** Rows that the largest query of a list can read: currencies in use are those of the latest 1,000. */
const usualRows = 1_500
const march = 'from=2025-03-01&to=2025-03-31'

interface List {
  filters?: readonly string[]
  /** The table, for a page in the middle of it. */
  deep?: string
  rows?: number
}

const lists: Record<string, List> = {
  '/api/orders': { filters: [`status=paid&${march}`, 'q=buyer-100', 'q=size-4711'], deep: 'payments.orders' },
  '/api/orders/counts': {},
  '/api/payments': { deep: 'payments.payments' },
  '/api/refunds': { filters: ['status=failed'], deep: 'payments.refunds' },
  // Those of the provider can be found later than they were created.
  [`/api/refunds?${march}`]: { rows: orders / 10 },
  '/api/ledger': { filters: ['kind=capture'], deep: 'payments.ledger_transactions' },
  // Movements can be booked later than they happened, so their IDs don’t tell. One index answers.
  [`/api/ledger?${march}`]: { rows: orders },
  '/api/settlements': { filters: ['status=failed', march], deep: 'payments.settlements' },
  '/api/invoices': { filters: ['status=overdue', march, 'q=buyer-100'], deep: 'payments.invoices' },
  '/api/invoices/counts': {},
  '/api/customers': { filters: ['kind=company', 'q=buyer', 'country=FR'], deep: 'payments.customers' },
  '/api/customers/counts': {},
  '/api/merchants': {},
  '/api/venues': {},
  // Counts all events of 90 days, from an index.
  '/api/pay/webhooks': { filters: ['state=failed'], deep: 'platform.received_webhooks', rows: orders * 1.1 },
  '/api/pay/audit': { filters: ['operation=createOrder', `object=order&${march}`, 'outcome=refused'] },
}

const routes = Object.entries(lists).flatMap(([path, { filters = [], deep, rows = usualRows }]) =>
  [path, ...filters.map((filter) => `${path}?${filter}`), ...(deep ? [`${path}?cursor=${deep}`] : [])].map(
    (route) => [route, rows] as const,
  ),
)

const isPrinted = process.env['PAYMENTS_ORDERS'] !== undefined

async function quickestOf(request: () => Promise<unknown>): Promise<number> {
  let quickest = Infinity
  for (let at = 0; at < 5; at += 1) {
    const started = performance.now()
    await request()
    quickest = Math.min(quickest, performance.now() - started)
  }
  return quickest
}

test.each(routes)('PAY-30 %s reads at most %d rows, by indexes, within 50 ms', async (route, maxRows) => {
  const [, table] = /cursor=(.+)/.exec(route) ?? []
  const path = table ? route.replace(table, await middleOf(table)) : route
  const request = () => world.ada.fetchJson(`GET ${path}`)
  const took = await quickestOf(request)
  const { scanned, rows, text } = await readingOf(world, request)
  if (isPrinted) console.log(`${route}: ${took.toFixed(1)} ms, ${Math.round(rows)} rows`)
  expect(rows, text).toBeLessThanOrEqual(maxRows)
  expect(scanned.filter((name) => ['orders', 'payments', 'invoices', 'audit_log'].includes(name))).toEqual([])
  expect(took).toBeLessThan(scaleTime(50))
})

const year = 'from=2025-01-01&to=2025-12-31'

test.each([
  `/api/pay/analytics?${year}`,
  '/api/pay/analytics?from=2025-06-01&to=2025-06-30',
  '/api/pay/dashboard?from=2025-11-01&to=2025-12-31',
  `/api/reports/takings?by=month&${year}`,
  `/api/reports/check?${year}`,
])('PAY-30 %s takes less than 1 s', async (path) => {
  const took = await quickestOf(() => world.ada.fetchJson(`GET ${path}`))
  if (isPrinted) console.log(`${path}: ${took.toFixed(0)} ms`)
  expect(took).toBeLessThan(scaleTime(1_000))
})
