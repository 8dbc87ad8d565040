import { writeOutcomeOf } from '#gateway'
import { Problem } from '#lib/errors.ts'
import type { orderPayments } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { syncPayment } from './sync.ts'

type PaymentRow = typeof orderPayments.$inferSelect

/**
 * Makes sure that a payment can’t be paid any more, at the provider first. If it was paid meanwhile, its order is paid
 * afterwards. @throws {Problem} 502 and 503 while that isn’t certain
 */
export async function closePayment(work: PaymentsWork, payment: PaymentRow): Promise<void> {
  const { id, organizationId, checkoutSessionId, paymentLinkId, paymentIntentId, status } = payment
  // What was made for it has to be known to be closed.
  if (status === 'unknown') return syncPayment(work, id)
  const { payments } = work.gateway
  const keyed = { organizationId, idempotencyKey: `${id}-close` }
  try {
    // The page of an authorized payment is complete, and expiring it would be refused.
    if (checkoutSessionId !== null && status !== 'authorized')
      await payments.expireCheckoutSession({ ...keyed, id: checkoutSessionId })
    else if (paymentLinkId !== null) await closeLink(work, payment, paymentLinkId)
    if (paymentIntentId !== null && (checkoutSessionId === null || status === 'authorized'))
      await payments.cancelPaymentIntent({ ...keyed, idempotencyKey: `${id}-cancel`, id: paymentIntentId })
  } catch (error) {
    // Refused: it was paid or had ended. What it is now is read next.
    if (!(error instanceof Problem) || writeOutcomeOf(error) !== 'refused') throw error
  }
  await syncPayment(work, id)
}

/** Its open pages could still be paid. */
async function closeLink(
  { gateway }: PaymentsWork,
  { id, organizationId }: PaymentRow,
  paymentLink: string,
): Promise<void> {
  const { payments } = gateway
  await payments.updatePaymentLink({ organizationId, idempotencyKey: `${id}-close`, id: paymentLink, active: false })
  const { items } = await payments.listCheckoutSessions({ organizationId, paymentLink, status: 'open', limit: 100 })
  for (const session of items)
    await payments.expireCheckoutSession({ organizationId, idempotencyKey: `${session.id}-close`, id: session.id })
}
