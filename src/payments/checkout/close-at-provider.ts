import { writeOutcomeOf } from '#gateway'
import { Problem } from '#lib/errors.ts'
import type { orderPayments } from '../schema.ts'
import { payerOf } from '../provider-account.ts'
import type { PaymentsWork } from '../work.ts'

type PaymentRow = typeof orderPayments.$inferSelect

/** Closes what a customer could still pay with. What the payment is then has to be read. @throws {Problem} of the gateway */
export async function closeAtProvider(work: PaymentsWork, payment: PaymentRow): Promise<void> {
  const { checkoutSessionId, paymentLinkId, status } = payment
  // The page of an authorized payment is complete, and closing it would be refused.
  if (status !== 'authorized' && checkoutSessionId !== null) await expirePage(work, payment, checkoutSessionId)
  else if (paymentLinkId !== null) await closeLink(work, payment, paymentLinkId)
  if (checkoutSessionId === null || status === 'authorized') await releaseIntent(work, payment)
}

/** Cancels the intent itself, which the provider refuses while its page is open. */
export async function releaseIntent({ gateway }: PaymentsWork, payment: PaymentRow): Promise<void> {
  const { id, paymentIntentId, version } = payment
  if (paymentIntentId === null) return
  await ignoreRefusal(
    gateway.payments.cancelPaymentIntent({
      ...payerOf(payment),
      idempotencyKey: `${id}-${version}-cancel`,
      id: paymentIntentId,
    }),
  )
}

/** Refused: it was paid or had ended. What it is now is read next. */
async function ignoreRefusal(request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (!(error instanceof Problem) || writeOutcomeOf(error) !== 'refused') throw error
  }
}

const expirePage = ({ gateway }: PaymentsWork, payment: PaymentRow, id: string): Promise<void> =>
  ignoreRefusal(
    gateway.payments.expireCheckoutSession({
      ...payerOf(payment),
      idempotencyKey: `${id}-${payment.version}-close`,
      id,
    }),
  )

/** Its open pages could still be paid. */
export async function closeLink(work: PaymentsWork, payment: PaymentRow, paymentLink: string): Promise<void> {
  const { payments } = work.gateway
  const { id, version } = payment
  const payer = payerOf(payment)
  await ignoreRefusal(
    payments.updatePaymentLink({
      ...payer,
      idempotencyKey: `${id}-${version}-close`,
      id: paymentLink,
      active: false,
    }),
  )
  for (let rounds = 0; rounds < maxRounds; rounds += 1) {
    const open = await payments.listCheckoutSessions({ ...payer, paymentLink, status: 'open', limit: 100 })
    for (const session of open.items) await expirePage(work, payment, session.id)
    if (open.nextCursor === null) return
  }
}

/** Of a hundred pages each. */
const maxRounds = 20
