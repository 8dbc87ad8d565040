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
  const { id, organizationId, checkoutSessionId, paymentLinkId, paymentIntentId, status, version } = payment
  // What was made for it has to be known to be closed.
  if (status === 'unknown') return syncPayment(work, id)
  const { payments } = work.gateway
  const key = `${id}-${version}`
  // The page of an authorized payment is complete, and closing it would be refused.
  if (status !== 'authorized' && checkoutSessionId !== null)
    await ignoreRefusal(
      payments.expireCheckoutSession({ organizationId, idempotencyKey: `${key}-close`, id: checkoutSessionId }),
    )
  else if (status !== 'authorized' && paymentLinkId !== null) await closeLink(work, payment, paymentLinkId)
  if (paymentIntentId !== null && (checkoutSessionId === null || status === 'authorized'))
    await ignoreRefusal(
      payments.cancelPaymentIntent({ organizationId, idempotencyKey: `${key}-cancel`, id: paymentIntentId }),
    )
  await syncPayment(work, id)
}

/** Refused: it was paid or had ended. What it is now is read next. */
async function ignoreRefusal(request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (!(error instanceof Problem) || writeOutcomeOf(error) !== 'refused') throw error
  }
}

/** Its open pages could still be paid. */
async function closeLink(
  { gateway }: PaymentsWork,
  { id, organizationId, version }: PaymentRow,
  paymentLink: string,
): Promise<void> {
  const { payments } = gateway
  await ignoreRefusal(
    payments.updatePaymentLink({
      organizationId,
      idempotencyKey: `${id}-${version}-close`,
      id: paymentLink,
      active: false,
    }),
  )
  const { items } = await payments.listCheckoutSessions({ organizationId, paymentLink, status: 'open', limit: 100 })
  for (const session of items)
    await ignoreRefusal(
      payments.expireCheckoutSession({
        organizationId,
        idempotencyKey: `${session.id}-${version}-close`,
        id: session.id,
      }),
    )
}
