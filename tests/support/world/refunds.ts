import type { DatabaseHandle } from '#lib/db.ts'
import type { Caller } from './callers.ts'
import { payAtProvider } from './resources.ts'

interface Refunds {
  paidOrders: string
  refunds: string
  refundsToApprove: string
  refundsToDecline: string
  refundsToCancel: string
  refundsUnknown: string
  refundsToRetry: string
}

/** An order that is paid, with a refund that succeeded, three above the ceiling, which another person requested, and two without an outcome. */
export async function addRefunds(
  { fetch, fetchJson }: Caller,
  { sql }: DatabaseHandle,
  { members }: { members: string },
): Promise<Refunds> {
  const make = (route: string, body: object) => fetchJson<{ id: string; checkoutUrl: string }>(route, body, 201)
  const order = await make('POST /api/orders', { currency: 'EUR', lines: [{ name: 'Beans', unitAmount: 1_200 }] })
  const payment = await make('POST /api/payments', { orderId: order.id })
  await payAtProvider(fetch, payment.checkoutUrl)
  await fetchJson(`POST /api/payments/${payment.id}/check`)
  const refund = async () => (await make('POST /api/refunds', { orderId: order.id, amount: 100 })).id
  const setCeilings = (refundCeilings: object) => fetchJson('PUT /api/pay/settings', { refundCeilings })
  const succeeded = await refund()
  await setCeilings({ EUR: 0 })
  const waiting = [await refund(), await refund(), await refund(), await refund(), await refund()]
  await setCeilings({})
  await sql`UPDATE payments.refunds SET requested_by = ${members}, responsible_id = ${members} WHERE id IN ${sql(waiting)}`
  await sql`UPDATE payments.settings SET raised = '[]'`
  await sql`DELETE FROM platform.raised_actions WHERE cause LIKE 'payments.refund-%' OR cause LIKE 'payments.raised-%'`
  const [refundsToApprove = '', refundsToDecline = '', refundsToCancel = '', ...unknown] = waiting
  await sql`UPDATE payments.refunds SET status = 'unknown', sent_at = now() WHERE id IN ${sql(unknown)}`
  const [refundsUnknown = '', refundsToRetry = ''] = unknown
  return {
    paidOrders: order.id,
    refunds: succeeded,
    refundsToApprove,
    refundsToDecline,
    refundsToCancel,
    refundsUnknown,
    refundsToRetry,
  }
}
