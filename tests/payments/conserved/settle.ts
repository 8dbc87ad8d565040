import { scaleTime } from '../../support/time-scale.ts'
import { differences, readKnown, type Known } from './differences.ts'
import type { Chance } from './random.ts'
import { isQuiet, readProvided } from './provided.ts'
import type { Shop } from './shops.ts'

const openPayments = new Set(['unknown', 'requires_action', 'processing', 'authorized'])
const openBatches = new Set(['accepted', 'processing'])
const openRefunds = new Set(['pending', 'unknown', 'needs_approval'])

/** Each comparison reads everything. */
const pauseMs = 1_000

/**
 * Once all histories have ended: events that were lost are found, and orders that weren’t paid are canceled. Then both
 * sides have to agree. Returns in what they don’t, after `limitMs`.
 */
export async function settle(chance: Chance, shop: Shop, limitMs: number): Promise<string[]> {
  await shop.behave({})
  const found = await compareUntilEqual(chance, shop, limitMs)
  if (found.length > 0) return found
  // Whatever is read again, nothing may change.
  await checkAll(chance, shop, await readKnown(chance, shop))
  return compareUntilEqual(chance, shop, limitMs)
}

async function compareUntilEqual(chance: Chance, shop: Shop, limitMs: number): Promise<string[]> {
  const deadline = Date.now() + scaleTime(limitMs)
  for (;;) {
    const found = await compare(chance, shop)
    if (found.length === 0 || Date.now() > deadline) return found
    await Bun.sleep(pauseMs)
  }
}

async function compare(chance: Chance, shop: Shop): Promise<string[]> {
  await shop.call(chance, 'POST /api/pay/webhooks/find-lost')
  const listed = await shop.read<{ items: Known['orders'] }>(chance, 'GET /api/orders?limit=100')
  const unpaid = listed.items.filter(isOpen)
  if (unpaid.length > 0) {
    await Promise.all(unpaid.map(({ id }) => shop.call(chance, `POST /api/orders/${id}/cancel`)))
    return unpaid.map(({ id, status }) => `order ${id} is ${status}`)
  }
  const known = await readKnown(chance, shop)
  const open = openOf(known)
  const { counts } = await shop.read<{ counts: { failed: number } }>(chance, 'GET /api/pay/webhooks?limit=1')
  if (counts.failed > 0) await shop.call(chance, 'POST /api/pay/webhooks/replay-failed')
  if (counts.failed > 0) open.push(`${counts.failed} events have failed`)
  if (open.length > 0) return open
  const provided = await readProvided(shop)
  return isQuiet(provided) ? differences(known, provided) : ['the provider still moves money']
}

const isOpen = ({ captured, status }: Known['orders'][number]): boolean =>
  captured === 0 && status !== 'cancelled' && status !== 'expired'

const openOf = ({ orders, batches, items }: Known): string[] => [
  ...orders.flatMap(({ id, payments }) =>
    payments
      .filter(({ status }) => openPayments.has(status))
      .map(({ status }) => `order ${id} has a payment ${status}`),
  ),
  ...orders.flatMap(({ id, refunds }) =>
    refunds.filter(({ status }) => openRefunds.has(status)).map(({ status }) => `order ${id} has a refund ${status}`),
  ),
  ...batches
    .filter(({ status }) => openBatches.has(status))
    .map(({ batchId, status }) => `batch ${batchId} is ${status}`),
  ...items
    .filter(({ status }) => status === 'unknown' || status === 'sent')
    .map(({ id, status }) => `item ${id} is ${status}`),
]

async function checkAll(chance: Chance, shop: Shop, { orders, batches }: Known): Promise<void> {
  const payments = orders.flatMap((order) => order.payments)
  await Promise.all([
    ...payments.map(({ id }) => shop.call(chance, `POST /api/payments/${id}/check`)),
    ...batches.map(({ batchId }) => shop.call(chance, `POST /api/settlements/${batchId}/check`)),
  ])
}
