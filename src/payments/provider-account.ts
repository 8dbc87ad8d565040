import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { isAccountChanged } from '#gateway'
import { transact, type Database } from '#lib/db.ts'
import { conflict, nullFor404, type Problem } from '#lib/errors.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { accountKind } from './notification-kinds.ts'
import { publishOrder } from './orders/orders.topic.ts'
import { orderPayments } from './schema.ts'
import { nextCheckOf, type PaymentsWork } from './work.ts'

type PaymentRow = typeof orderPayments.$inferSelect

interface Made {
  organizationId: string
  accountKey: string | null
}

/** For requests about what was made at one account: the gateway sends them to no other one. @throws {Problem} 409 */
export function payerOf({ organizationId, accountKey }: Made): { organizationId: string; accountKey: string } {
  if (accountKey === null) throw accountUnknown()
  return { organizationId, accountKey }
}

export const accountUnknown = (): Problem =>
  conflict(
    'provider_account_changed',
    'This was made before accounts were stored, and isn’t at the account that is used now. Nothing was sent. Store the key with which it was made under the organization’s credentials, then check again.',
  )

/** As a catch: nothing was done, people were told, and it is looked at again daily. */
export function ignoreLostAccount(error: unknown): void {
  if (!isAccountChanged(error)) throw error
}

/** What was made before accounts were stored belongs to the current one if that has it. @throws {Problem} 409 */
export async function withAccount(work: PaymentsWork, payment: PaymentRow): Promise<PaymentRow> {
  if (payment.accountKey !== null) return payment
  const { id, organizationId } = payment
  const { accountKey } = await work.gateway.payments.getAccount({ organizationId })
  if (!(await isMadeAt(work, payment, accountKey))) throw accountUnknown()
  await work.db
    .update(orderPayments)
    .set({ accountKey })
    .where(and(eq(orderPayments.id, id), isNull(orderPayments.accountKey)))
  return { ...payment, accountKey }
}

/** Its object there names it: IDs alone can come from any server. */
async function isMadeAt({ gateway }: PaymentsWork, payment: PaymentRow, accountKey: string): Promise<boolean> {
  const { organizationId, checkoutSessionId, paymentLinkId, paymentIntentId } = payment
  const { payments } = gateway
  const payer = { organizationId, accountKey }
  const read =
    checkoutSessionId !== null
      ? payments.getCheckoutSession({ ...payer, id: checkoutSessionId })
      : paymentLinkId !== null
        ? payments.getPaymentLink({ ...payer, id: paymentLinkId })
        : paymentIntentId !== null
          ? payments.getPaymentIntent({ ...payer, id: paymentIntentId })
          : null
  if (read === null) return true
  const object = await read.catch(nullFor404)
  return object?.metadata['paymentId'] === payment.id
}

const causeOf = ({ organizationId, accountKey }: Made): string =>
  `payments.account-lost.${organizationId}.${accountKey ?? 'unknown'}`

/** One action for all that was made at this account. On a transaction. */
export const raiseLostAccount = (tx: Database, made: Made, { message }: Problem): Promise<void> =>
  raiseAction(tx, {
    kind: accountKind,
    organizationId: made.organizationId,
    cause: causeOf(made),
    title: made.accountKey?.startsWith('organization:')
      ? `Payments wait for a key of your account ${made.accountKey.split(':')[1]}`
      : 'Payments wait for the account that they were made at',
    reason: `${message} Until then they can’t be read, captured or refunded.`,
    href: '/gateway/credentials',
    actions: [{ label: 'Store the key', method: 'GET', href: '/gateway/credentials', style: 'primary' }],
  })

export const endLostAccount = (tx: Database, made: Made): Promise<void> => resolveAction(tx, causeOf(made))

/** Looked at daily until its account has a key again. What it was remains stored. */
export async function notePaymentLost(work: PaymentsWork, payment: PaymentRow, problem: Problem): Promise<void> {
  const { id, organizationId, orderId, accountLostAt } = payment
  await transact(work.db, async (tx) => {
    await tx
      .update(orderPayments)
      .set({ accountLostAt: accountLostAt ?? work.now(), nextCheckAt: nextCheckOf(work, Infinity, { repeat: true }) })
      .where(eq(orderPayments.id, id))
    await raiseLostAccount(tx, payment, problem)
    if (accountLostAt === null) await publishOrder(work, tx, { id: orderId, organizationId })
  })
}

/** The account of a payment could be read again: the others are read now. On a transaction. */
export async function endPaymentLost(tx: Database, work: PaymentsWork, payment: PaymentRow): Promise<void> {
  const { organizationId, accountKey } = payment
  if (accountKey === null) return
  await endLostAccount(tx, payment)
  await tx
    .update(orderPayments)
    .set({ nextCheckAt: work.now() })
    .where(
      and(
        eq(orderPayments.organizationId, organizationId),
        eq(orderPayments.accountKey, accountKey),
        isNotNull(orderPayments.accountLostAt),
      ),
    )
}
