import type { PaymentsWork } from '../work.ts'
import { cancelNow } from './cancel.ts'
import { findSubscription, payerOf, type SubscriptionRow } from './rows.ts'

/**
 * At once, and what its customer paid last is refunded: a second checkout of an organization that has a subscription. The
 * same again changes nothing. @throws {Problem} 404, of the gateway
 */
export async function endNow(work: PaymentsWork, id: string): Promise<SubscriptionRow> {
  const row = await findSubscription(work.db, id)
  if (row.status !== 'canceled') await cancelNow(work, row)
  await refundLast(work, row)
  return findSubscription(work.db, id)
}

async function refundLast({ gateway }: PaymentsWork, row: SubscriptionRow): Promise<void> {
  const { providerCustomerId: customer } = row
  if (customer === null || row.startedAt === null) return
  const payer = payerOf(row)
  const { items } = await gateway.payments.listPaymentIntents({ ...payer, customer, limit: 10 })
  const paid = items.find(({ status }) => status === 'succeeded')
  if (!paid) return
  const refunds = await gateway.payments.listRefunds({ ...payer, paymentIntent: paid.id, limit: 1 })
  if (refunds.items.length > 0) return
  await gateway.payments.createRefund({
    ...payer,
    idempotencyKey: `${row.id}:refund`,
    paymentIntent: paid.id,
    reason: 'duplicate',
  })
}
