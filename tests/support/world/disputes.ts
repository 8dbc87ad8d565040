import type { DatabaseHandle } from '#lib/db.ts'
import type { Caller } from './callers.ts'
import { payAtProvider } from './resources.ts'

export type DisputeResource = 'disputes' | 'disputesToAnswer'

/** The practice provider's card whose payments a bank asks about, without taking money back. */
const inquired = '4000000000001976'
const attempts = 200

/** Two orders that the customer's bank asks about. */
export async function addDisputes(
  { fetch, fetchJson }: Caller,
  { sql }: DatabaseHandle,
): Promise<Record<DisputeResource, string>> {
  const make = (route: string, body: object) => fetchJson<{ id: string; checkoutUrl: string }>(route, body, 201)
  const sell = async () => {
    const order = await make('POST /api/orders', { currency: 'EUR', lines: [{ name: 'Filter', unitAmount: 900 }] })
    const payment = await make('POST /api/payments', { orderId: order.id })
    await payAtProvider(fetch, payment.checkoutUrl, inquired)
    return { order: order.id, payment: payment.id }
  }
  const disputeOf = async ({ order, payment }: { order: string; payment: string }) => {
    for (let nth = 0; nth < attempts; nth += 1) {
      await fetchJson(`POST /api/payments/${payment}/check`)
      const { disputes } = await fetchJson<{ disputes: { id: string }[] }>(`GET /api/orders/${order}`)
      if (disputes[0]) return disputes[0].id
      await Bun.sleep(50)
    }
    throw new Error('The practice provider opened no dispute')
  }
  const sold = [await sell(), await sell()]
  const [disputes = '', disputesToAnswer = ''] = await Promise.all(sold.map(disputeOf))
  await sql`DELETE FROM platform.raised_actions WHERE cause LIKE 'payments.dispute.%'`
  return { disputes, disputesToAnswer }
}
