import { eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { RefundReason, RefundStatus } from '../contract/refunds.ts'
import { announceRefund } from '../refunds/announce.ts'
import type { OrderNews } from '../orders/timeline.ts'
import { fromProviderUnits } from '../provider-units.ts'
import { refunds } from '../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'
import type { Posting } from '../ledger/post.ts'
import { postingsOf, refundReversed, refundSent, type Applied, type Booked } from './entries.ts'
import type { ProviderRefund, Snapshot } from './snapshot.ts'

type RefundRow = typeof refunds.$inferSelect

export const refundStatusOf = (status: string | null): RefundStatus =>
  status === 'succeeded'
    ? 'succeeded'
    : status === 'failed'
      ? 'failed'
      : status === 'canceled'
        ? 'cancelled'
        : 'pending'

const reasonOf = (reason: string | null): RefundReason =>
  reason === 'duplicate' || reason === 'fraudulent' || reason === 'requested_by_customer' ? reason : 'other'

const hasEnded = (status: RefundStatus): boolean => status === 'failed' || status === 'cancelled'

/** Also those that were created at the provider itself. */
export async function applyRefunds(
  tx: Database,
  work: PaymentsWork,
  booked: Booked,
  { refunds: provided, movements }: Snapshot,
): Promise<Applied> {
  const news: OrderNews[] = []
  const postings: Posting[] = []
  const rows = await tx.select().from(refunds).where(eq(refunds.paymentId, booked.payment.id)).for('update')
  for (const found of provided) {
    const known = rows.find((row) => row.providerRefundId === found.id || row.id === found.metadata['refundId'])
    const before = known ?? (await insertRefund(tx, booked, found))
    const after = await updateRefund(tx, work, before, found, booked.at)
    if (before.providerRefundId === null) postings.push(refundSent(booked, after))
    for (const movement of movements.get(found.id) ?? [])
      postings.push(...postingsOf(booked, movement, { refundId: after.id, amount: after.amount }))
    if (hasEnded(after.status) && !hasEnded(before.status)) postings.push(refundReversed(booked, after))
    if (after.status !== before.status || !known) news.push(...newsOf(after))
    await announceRefund(tx, work, after, known ? before.status : null)
  }
  return { news, postings }
}

async function insertRefund(tx: Database, { order, payment, at }: Booked, found: ProviderRefund): Promise<RefundRow> {
  const [row] = await tx
    .insert(refunds)
    .values({
      id: newId(),
      organizationId: order.organizationId,
      orderId: order.id,
      paymentId: payment.id,
      status: 'pending',
      amount: fromProviderUnits(found.amount, found.currency),
      currency: order.currency,
      reason: reasonOf(found.reason),
      createdAt: found.createdAt,
      sentAt: at,
    })
    .returning()
  if (!row) throw new Error('The refund was not inserted')
  return row
}

async function updateRefund(
  tx: Database,
  work: PaymentsWork,
  before: RefundRow,
  found: ProviderRefund,
  at: Date,
): Promise<RefundRow> {
  const status = refundStatusOf(found.status)
  const checks = before.checks + 1
  const [after] = await tx
    .update(refunds)
    .set({
      status,
      providerRefundId: found.id,
      failureReason: hasEnded(status) ? (found.failureReason ?? before.failureReason) : null,
      checkedAt: at,
      checks,
      nextCheckAt: status === 'pending' ? nextCheckOf(work, checks, { repeat: true }) : null,
      settledAt: status === 'pending' ? null : status === before.status ? before.settledAt : at,
      version: sql`${refunds.version} + 1`,
    })
    .where(eq(refunds.id, before.id))
    .returning()
  if (!after) throw new Error('The locked refund is gone')
  return after
}

function newsOf({ id, amount, status, failureReason }: RefundRow): OrderNews[] {
  const facts = { refundId: id, amount: Number(amount) }
  if (status === 'succeeded') return [{ kind: 'refund_succeeded', facts }]
  if (status === 'failed') return [{ kind: 'refund_failed', facts: { ...facts, reason: failureReason } }]
  if (status === 'cancelled') return [{ kind: 'refund_cancelled', facts }]
  return [{ kind: 'refund_sent', facts }]
}
