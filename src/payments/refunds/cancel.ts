import { writeOutcomeOf } from '#gateway'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { forbidden, Problem } from '#lib/errors.ts'
import { readPayment } from '../checkout/create.ts'
import { payerOf, withAccount } from '../provider-account.ts'
import { changeRefund } from './decide.ts'
import { findRefund, refundState, type RefundRow } from './rows.ts'
import { syncShared } from '../checkout/shared-sync.ts'

/** Its requester, and admins. */
export const canCancelFor = (actor: Actor, { requestedBy }: Pick<RefundRow, 'requestedBy'>): boolean =>
  actor.principal.id === requestedBy || isAllowed(actor, 'role:admin', '')

/** Nothing of it is at the provider. */
export const isUnsent = ({ status, sentAt }: RefundRow): boolean =>
  status === 'needs_approval' || (status === 'pending' && sentAt === null)

export const isPendingAtProvider = ({ status, providerRefundId }: RefundRow): boolean =>
  status === 'pending' && providerRefundId !== null

/** @throws {Problem} 403, 404, 409 `refund_state`, and the gateway’s */
export async function cancelRefund(call: Call<unknown, Actor>, id: string): Promise<void> {
  const seen = await findRefund(call.db, organizationOf(call.actor, 'transactions:refund'), id)
  if (!canCancelFor(call.actor, seen)) throw forbidden('role:admin')
  if (isPendingAtProvider(seen)) return cancelAtProvider(call, seen)
  await changeRefund(call, seen, (refund) => {
    if (!isUnsent(refund)) throw tooLate(refund)
    const at = call.now()
    return {
      set: { status: 'cancelled', decidedBy: call.actor.principal.id, decidedAt: at, settledAt: at, nextCheckAt: null },
      kind: 'refund_cancelled',
    }
  })
}

/** Only some kinds of refunds can be: the provider decides. */
async function cancelAtProvider(call: Call<unknown, Actor>, refund: RefundRow): Promise<void> {
  const { id, paymentId, providerRefundId, version } = refund
  const payment = await withAccount(call, await readPayment(call.db, paymentId))
  await auditedTransaction(call, async (tx) => {
    recordChange(tx, { object: 'refund', id, after: { cancelRequested: true } })
  })
  try {
    await call.gateway.payments.cancelRefund({
      ...payerOf(payment),
      // The provider cancels it once. A refusal isn’t replayed after the refund has changed.
      idempotencyKey: `${id}-${version}-cancel`,
      id: providerRefundId ?? '',
    })
  } catch (error) {
    await syncShared(call, paymentId)
    if (error instanceof Problem && writeOutcomeOf(error) === 'refused') throw tooLate(refund, error.message)
    throw error
  }
  await syncShared(call, paymentId)
}

const tooLate = (refund: RefundRow, why?: string): Problem =>
  refundState(
    refund,
    why === undefined
      ? 'This refund was sent to the payment provider, so it can’t be canceled.'
      : `The payment provider doesn’t cancel this refund. ${why}`,
  )
