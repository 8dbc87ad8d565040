import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { invalid, nullFor404, type Problem } from '#lib/errors.ts'
import { readPayment } from '../checkout/create.ts'
import { syncShared } from '../checkout/shared-sync.ts'
import type { RefundDecision } from '../contract/refunds.ts'
import { payerOf, withAccount } from '../provider-account.ts'
import { fromProviderUnits } from '../provider-units.ts'
import { refunds } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { changeRefund } from './decide.ts'
import { isLeased } from './lease.ts'
import { findRefund, refundState, type RefundRow } from './rows.ts'

/** Whether a person can decide what became of it: nothing of it is on its way to the provider. */
export const isResolvable = (work: Pick<PaymentsWork, 'config' | 'now'>, { status, repeatedAt }: RefundRow): boolean =>
  status === 'unknown' && (repeatedAt === null || !isLeased(work, repeatedAt))

/**
 * A person looked an unknown refund up at the provider. It is read there once more before. @throws {Problem} 404, 409
 * `refund_state`, 422 for a refund at the provider that can’t be this one, and the gateway’s
 */
export async function resolveRefund(call: Call<unknown, Actor>, decision: RefundDecision): Promise<void> {
  const seen = await findRefund(call.db, organizationOf(call.actor, 'transactions:refund'), decision.id)
  requireResolvable(call, seen)
  await syncShared(call, seen.paymentId)
  const settled = { settledAt: call.now(), nextCheckAt: null } as const
  if (decision.outcome === 'not_made') {
    await changeRefund(call, seen, (refund) => {
      requireResolvable(call, refund)
      return {
        set: { ...settled, status: 'failed', failureReason: 'A person found that the provider didn’t make it.' },
        kind: 'refund_not_made',
      }
    })
    return
  }
  const providerRefundId = decision.providerRefundId ?? ''
  await requireSame(call, seen, providerRefundId)
  await changeRefund(call, seen, (refund) => {
    requireResolvable(call, refund)
    return {
      set: { ...settled, status: 'cancelled', failureReason: `Made at the provider instead, as ${providerRefundId}.` },
      kind: 'refund_made_elsewhere',
      facts: { providerRefundId },
      also: (tx) => adopt(tx, call, refund, providerRefundId),
    }
  })
}

function requireResolvable(work: Pick<PaymentsWork, 'config' | 'now'>, refund: RefundRow): void {
  if (isResolvable(work, refund)) return
  throw refundState(
    refund,
    refund.status === 'unknown'
      ? 'This refund is being sent again. Try again in a minute.'
      : 'The outcome of this refund is known.',
  )
}

const wrongRefund = (message: string): Problem => invalid([{ path: 'providerRefundId', message }])

async function requireSame(work: PaymentsWork, { paymentId, amount }: RefundRow, id: string): Promise<void> {
  const payment = await withAccount(work, await readPayment(work.db, paymentId))
  const found = await work.gateway.payments.getRefund({ ...payerOf(payment), id }).catch(nullFor404)
  if (!found || found.paymentIntentId !== payment.paymentIntentId)
    throw wrongRefund('The payment has no such refund at the provider.')
  if (fromProviderUnits(found.amount, found.currency) !== amount) throw wrongRefund('It has another amount.')
  if (found.status === 'failed' || found.status === 'canceled') throw wrongRefund('It failed.')
}

/** The refund that was made at the provider takes the place of this one. Each can take one. */
async function adopt(tx: Database, { now }: PaymentsWork, refund: RefundRow, providerRefundId: string): Promise<void> {
  const { paymentId, reason, note, lines } = refund
  const [made] = await tx
    .update(refunds)
    .set({ reason, note, lines, decidedAt: now(), version: sql`${refunds.version} + 1` })
    .where(
      and(
        eq(refunds.paymentId, paymentId),
        eq(refunds.providerRefundId, providerRefundId),
        isNull(refunds.requestedBy),
        isNull(refunds.decidedAt),
      ),
    )
    .returning()
  if (!made) throw wrongRefund('It is another refund of the order.')
  recordChange(tx, { object: 'refund', id: made.id, after: { madeInsteadOf: refund.id } })
}
