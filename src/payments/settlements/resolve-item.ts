import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { requirePerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { conflict, notFound } from '#lib/errors.ts'
import type { ItemDecision, SettlementItem } from '../contract/settlements.ts'
import { settlementItems } from '../schema.ts'
import { findBatch, type BatchOwner } from './access.ts'
import { syncItem } from './advance-item.ts'
import { changeItem } from './change-item.ts'
import { itemNotSent, itemPaidElsewhere } from './entries.ts'
import { isResolvable, stepOf, type ItemChange } from './item-state.ts'
import { describeItem } from './read.ts'
import type { ItemRow } from './rows.ts'
import { enqueueWork } from './work-items.ts'

/**
 * A person looked an unknown item up at the provider. It is read there once more before. @throws {Problem} 404, 409
 * `item_state`, and the gateway’s
 */
export async function resolveItem(
  call: Call<unknown, Actor>,
  owner: BatchOwner,
  decision: ItemDecision,
): Promise<z.input<typeof SettlementItem>> {
  requirePerson(call.actor)
  const { id: settlementId, organizationId } = await findBatch(call.db, owner, decision.batchId)
  const ofBatch = and(eq(settlementItems.id, decision.itemId), eq(settlementItems.settlementId, settlementId))
  const [seen] = await call.db.select().from(settlementItems).where(ofBatch)
  if (!seen) throw notFound('item')
  requireResolvable(call, seen)
  await syncItem(call, seen.id)
  return auditedTransaction(call, async (tx) => {
    const { item } = await changeItem({ ...call, db: tx }, seen.id, (row) => {
      requireResolvable(call, row)
      return changeByDecision(row, decision, call.now())
    })
    if (!item) throw notFound('item')
    if (item.dueAt !== null) await enqueueWork(tx, call, 1)
    recordChange(tx, {
      object: 'settlement',
      id: settlementId,
      organizationId,
      before: { item: seen.reference, status: seen.status },
      after: { item: item.reference, status: item.status, note: decision.note },
    })
    return describeItem(item, call.now())
  })
}

function requireResolvable({ now }: Pick<Call, 'now'>, item: ItemRow): void {
  if (isResolvable(item, now())) return
  throw conflict(
    'item_state',
    item.status === 'unknown'
      ? 'This item is still looked up and sent again by itself, for 23 hours. Try again later.'
      : 'The outcome of this item is known.',
    { state: item.status },
  )
}

function changeByDecision(row: ItemRow, { outcome, note }: ItemDecision, at: Date): ItemChange {
  const isTransferred = row.transferId !== null
  const shared = { leaseOwner: null, checkedAt: at, checks: 0 }
  if (outcome === 'settled')
    return {
      patch: { ...shared, status: 'settled', settledAt: at, dueAt: null, failureCode: null, failureMessage: null },
      postings: isTransferred ? [] : [itemPaidElsewhere(row, at, note)],
    }
  const failed = { ...row, status: 'failed' } as const
  return {
    patch: {
      ...shared,
      status: 'failed',
      failureCode: 'resolved',
      failureMessage: note,
      // What was transferred is taken back.
      dueAt: stepOf(failed) === null ? null : at,
    },
    postings: isTransferred ? [] : [itemNotSent(row, at, note)],
  }
}
