import { openWorld } from '../support/world.ts'
import { addMerchantIn } from '../payments/reports/fixtures.ts'
import { fillYear } from '../payments/volume.ts'

// Measures the first pages of the lists of payments and its reports with 100,000 orders, beside a list of two rows with
// the same authentication in the same rounds (PAY-30).

const [orders, rounds] = [100_000, 20]
const limits = { list: 50, report: 1_000 }
const baseline = '/api/venues'
const year = 'from=2025-01-01&to=2025-12-31'

const lists = [
  'orders',
  'payments',
  'refunds',
  'ledger',
  'settlements',
  'invoices',
  'customers',
  'pay/webhooks',
  'pay/audit',
]
const paths = [
  ...lists.map((list) => ({ path: `/api/${list}`, limit: limits.list })),
  { path: '/api/orders?q=buyer-100', limit: limits.list },
  { path: '/api/orders?status=paid&from=2025-03-01&to=2025-03-31', limit: limits.list },
  { path: `/api/pay/analytics?${year}`, limit: limits.report },
  { path: `/api/reports/takings?by=day&${year}`, limit: limits.report },
  { path: `/api/reports/check?${year}`, limit: limits.report },
]

const world = await openWorld()
const merchant = await addMerchantIn(world, world.ada.things.organizations, 'Europe/Berlin')
await fillYear(world, merchant, orders)

async function msOf(path: string): Promise<number> {
  const started = performance.now()
  await world.ada.fetchJson(`GET ${path}`)
  return performance.now() - started
}

let isMet = true
for (const { path, limit } of paths) {
  const measured: { ms: number; bare: number }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const each = { bare: await msOf(baseline), ms: await msOf(path) }
    // The first round is a warm-up.
    if (round > 0) measured.push(each)
  }
  const ms = median(measured.map((each) => each.ms))
  const ratio = median(measured.map((each) => each.ms / each.bare))
  isMet &&= ms <= limit
  console.log(`${path}: ${ms.toFixed(1)} ms (at most ${limit}), ${ratio.toFixed(1)} times ${baseline}`)
}
await world.close()
process.exit(isMet ? 0 : 1)

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
