import { eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { updateOrder } from '../checkout/apply.ts'
import { illegalMove, isRefundable, refundableOf } from '../orders/states.ts'
import type { OrderNews } from '../orders/timeline.ts'
import { refunds } from '../schema.ts'
import { personBehind, requireApprover } from '../second-person.ts'
import { announceRefund } from './announce.ts'
import { leaseEnd } from './lease.ts'
import { findRefund, lockRefund, readDisputes, refundState, type OrderRow, type RefundRow } from './rows.ts'
import { sendRefund } from './send.ts'

type RefundCall = Call<unknown, Actor>

const permission = 'transactions:refund'

/**
 * Sends a refund above the ceiling. Of several approvals at once, one does. @throws {Problem} 404, 409 `refund_state` and
 * `order_state`, those of `requireApprover`, and what the provider refused
 */
export async function approveRefund(
  call: RefundCall,
  { id, code }: { id: string; code?: string | undefined },
): Promise<void> {
  const seen = await findRefund(call.db, organizationOf(call.actor, permission), id)
  requireWaiting(seen)
  const { isAlone } = await requireApprover(call, {
    requestedBy: personBehind(seen),
    permission,
    code,
    next: `/pay/refunds/${id}`,
  })
  const disputed = await readDisputes(call.db, { id: seen.paymentId, orderId: seen.orderId })
  const at = call.now()
  const approved = await changeRefund(call, seen, (refund, order) => {
    requireWaiting(refund)
    const others = { captured: order.captured, refundsReserved: order.refundsReserved - refund.amount }
    const left = refundableOf(others, disputed)
    if (!isRefundable(order.status, left < refund.amount ? 0n : left)) throw illegalMove(order.status)
    return {
      set: {
        status: 'pending',
        decidedBy: call.actor.principal.id,
        decidedAt: at,
        confirmedAlone: isAlone ? at : null,
        nextCheckAt: leaseEnd(call),
      },
      kind: 'refund_approved',
      facts: { confirmedAlone: isAlone ? 'second_factor' : null },
    }
  })
  await sendRefund(call, approved)
}

/** @throws {Problem} 404, 409 `refund_state` */
export async function declineRefund(
  call: RefundCall,
  { id, note }: { id: string; note?: string | undefined },
): Promise<void> {
  const seen = await findRefund(call.db, organizationOf(call.actor, permission), id)
  await changeRefund(call, seen, (refund) => {
    requireWaiting(refund)
    const at = call.now()
    return {
      set: {
        status: 'cancelled',
        failureReason: note ?? 'Declined.',
        decidedBy: call.actor.principal.id,
        decidedAt: at,
        settledAt: at,
      },
      kind: 'refund_declined',
      facts: { note: note ?? null },
    }
  })
}

function requireWaiting(refund: RefundRow): void {
  if (refund.status !== 'needs_approval') throw refundState(refund, 'This refund doesn’t wait for an approval.')
}

interface Change {
  set: Partial<Omit<typeof refunds.$inferInsert, 'version'>>
  kind: OrderNews['kind']
  facts?: NonNullable<OrderNews['facts']>
  /** What changes with it. */
  also?: (tx: Database) => Promise<void>
}

/** In one audited transaction with its order. `decide` sees the locked rows, and throws when it can’t be changed. */
export async function changeRefund(
  call: RefundCall,
  seen: RefundRow,
  decide: (refund: RefundRow, order: OrderRow) => Change,
): Promise<RefundRow> {
  return auditedTransaction(call, async (tx) => {
    const locked = await lockRefund(tx, seen)
    if (!locked) throw notFound('refund')
    const { refund: before, order } = locked
    const { set, kind, facts, also } = decide(before, order)
    const [after] = await tx
      .update(refunds)
      .set({ ...set, version: sql`${refunds.version} + 1` })
      .where(eq(refunds.id, before.id))
      .returning()
    if (!after) throw new Error('The locked refund is gone')
    await also?.(tx)
    const own = { refundId: after.id, amount: Number(after.amount) }
    await updateOrder(tx, call, order, [{ kind, facts: { ...own, ...facts }, by: call.actor.principal.id }])
    await announceRefund(tx, call, after, before.status)
    recordChange(tx, { object: 'refund', id: after.id, before: auditedFields(before), after: auditedFields(after) })
    return after
  })
}

const auditedFields = ({ status, failureReason, decidedBy, confirmedAlone }: RefundRow) => ({
  status,
  failureReason,
  decidedBy,
  confirmedAlone,
})
