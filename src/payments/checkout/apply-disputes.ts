import { eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import type { DisputeStatus } from '../contract/payments.ts'
import type { OrderEventKind, OrderNews } from '../orders/timeline.ts'
import { disputeKind } from '../notification-kinds.ts'
import { fromProviderUnits } from '../provider-units.ts'
import { disputes } from '../schema.ts'
import type { Posting } from '../ledger/post.ts'
import { disputeLost, postingsOf, type Applied, type Booked } from './entries.ts'
import { emitDisputeChange } from './events.ts'
import type { ProviderDispute, Snapshot } from './snapshot.ts'

type DisputeRow = typeof disputes.$inferSelect

export const disputeStatusOf = (status: string): DisputeStatus =>
  status === 'won' || status === 'lost' ? status : /^(warning_closed|prevented)$/.test(status) ? 'closed' : 'open'

const kinds: Readonly<Record<DisputeStatus, OrderEventKind>> = {
  open: 'dispute_opened',
  won: 'dispute_won',
  lost: 'dispute_lost',
  closed: 'dispute_closed',
}

export async function applyDisputes(
  tx: Database,
  work: EmitDependencies,
  booked: Booked,
  { disputes: provided, movements }: Snapshot,
): Promise<Applied> {
  const news: OrderNews[] = []
  const postings: Posting[] = []
  const rows = await tx.select().from(disputes).where(eq(disputes.paymentId, booked.payment.id)).for('update')
  for (const found of provided) {
    const before = rows.find(({ providerDisputeId }) => providerDisputeId === found.id)
    const after = await storeDispute(tx, booked, before, found)
    const moved = movements.get(found.id) ?? []
    for (const movement of moved)
      postings.push(...postingsOf(booked, movement, { disputeId: after.id, amount: after.amount }))
    const [withdrawn] = moved
    const isReopened = before?.status === 'lost' && after.status !== 'lost'
    // Each is posted once, even when the movement came later than the end.
    if (withdrawn && after.status === 'lost') postings.push(disputeLost(booked, after, withdrawn, after.amount))
    if (withdrawn && isReopened) postings.push(disputeLost(booked, after, withdrawn, -after.amount))
    const isWithBank = found.status.endsWith('under_review')
    if (after.status === before?.status) {
      if (isWithBank) await resolveAction(tx, causeOf(after))
      else if (after.evidenceDueAt?.getTime() !== before.evidenceDueAt?.getTime()) await updateAction(tx, booked, after)
      continue
    }
    news.push({
      kind: kinds[after.status],
      facts: { disputeId: after.id, amount: Number(after.amount), reason: after.reason },
    })
    await emitDisputeChange(tx, work, after, before?.status ?? null)
    if (!isWithBank) await updateAction(tx, booked, after)
  }
  return { news, postings }
}

async function storeDispute(
  tx: Database,
  { order, payment, at }: Booked,
  before: DisputeRow | undefined,
  found: ProviderDispute,
): Promise<DisputeRow> {
  const status = disputeStatusOf(found.status)
  const values = {
    status,
    amount: fromProviderUnits(found.amount, found.currency),
    evidenceDueAt: found.evidence.dueBy,
    closedAt: status === 'open' ? null : (before?.closedAt ?? at),
  }
  const [row] = before
    ? await tx
        .update(disputes)
        .set({ ...values, version: sql`${disputes.version} + 1` })
        .where(eq(disputes.id, before.id))
        .returning()
    : await tx
        .insert(disputes)
        .values({
          ...values,
          id: newId(),
          organizationId: order.organizationId,
          orderId: order.id,
          paymentId: payment.id,
          providerDisputeId: found.id,
          reason: found.reason,
          currency: found.currency,
          openedAt: found.createdAt,
        })
        .returning()
  if (!row) throw new Error('The dispute was not stored')
  return row
}

const causeOf = ({ id }: DisputeRow): string => `payments.dispute.${id}`

async function updateAction(tx: Database, { order }: Booked, dispute: DisputeRow): Promise<void> {
  if (dispute.status !== 'open') return resolveAction(tx, causeOf(dispute))
  const due = dispute.evidenceDueAt ? ` Evidence is due by ${dispute.evidenceDueAt.toISOString().slice(0, 10)}.` : ''
  await raiseAction(tx, {
    kind: disputeKind,
    organizationId: order.organizationId,
    cause: causeOf(dispute),
    title: `Respond to the dispute about order ${order.number}`,
    reason: `The customer’s bank has taken the money back: ${dispute.reason.replaceAll('_', ' ')}.${due}`,
    href: `/pay/orders/${order.id}`,
    actions: [
      {
        label: 'Send evidence',
        method: 'POST',
        href: `/api/disputes/${dispute.id}/evidence`,
        fields: [{ name: 'explanation', label: 'Why the payment was right', type: 'textarea' }],
        style: 'primary',
        confirm: 'The bank gets this once and decides. It can’t be changed afterwards.',
      },
      {
        label: 'Accept the loss',
        method: 'POST',
        href: `/api/disputes/${dispute.id}/accept`,
        style: 'danger',
        confirm: 'The customer keeps the money. This can’t be undone.',
      },
      { label: 'See the order', method: 'GET', href: `/pay/orders/${order.id}` },
    ],
    dueAt: dispute.evidenceDueAt,
  })
}
