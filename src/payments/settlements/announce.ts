import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { transact, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job, type TypedJob } from '#lib/job.ts'
import { emitWebhook } from '#lib/outgoing-webhooks/emit.ts'
import type { Queue } from '#lib/queue.ts'
import { settlementItems, settlements } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { updateActions } from './actions.ts'
import { addCallback } from './callbacks/add.ts'
import { settlementUpdated } from './event.ts'
import type { BatchRow, ChangedItem, ItemRow } from './rows.ts'
import { publishSettlement } from './settlements.topic.ts'
import { countItems, type ItemCounts } from './totals.ts'

/** Of one callback; the others follow in the next ones. */
const maxItems = 1_000

const Input = z.object({ settlementId: Id, organizationId: Id })

/** Brings a batch to the state that follows from its items, and announces many changes in one callback. */
export const announceChanges: TypedJob<z.output<typeof Input>> = job({
  name: 'payments.announce-settlement',
  input: Input,
  concurrency: 4,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 2 },
  uniqueBy: ({ settlementId }) => settlementId,
  run: ({ input, database, ...work }) => announceItems({ ...work, db: database.db }, input.settlementId),
})

/** On the transaction that changed the item. */
export const announceSettlement = (
  tx: Database,
  { queue }: { queue: Queue },
  { settlementId, organizationId }: Pick<ItemRow, 'settlementId' | 'organizationId'>,
): Promise<void> => queue.enqueue(tx, announceChanges, { settlementId, organizationId })

type Announcing = Pick<PaymentsWork, 'db' | 'queue' | 'events' | 'now'>

const announceItems = (work: Announcing, settlementId: string): Promise<void> =>
  transact(work.db, async (tx) => {
    const [batch] = await tx.select().from(settlements).where(eq(settlements.id, settlementId)).for('update')
    if (!batch) return
    const items = await takeUnannounced(tx, settlementId)
    const counts = await countItems(tx, settlementId)
    const status = statusFrom(batch, counts)
    if (items.length > 0 || status !== batch.status) await changeBatch(tx, work, batch, { status }, items)
    await updateActions(tx, batch, counts)
    if (items.length === maxItems)
      await announceSettlement(tx, work, { settlementId, organizationId: batch.organizationId })
  })

async function takeUnannounced(tx: Database, settlementId: string): Promise<ChangedItem[]> {
  const changed = await tx
    .select({ id: settlementItems.id })
    .from(settlementItems)
    .where(and(eq(settlementItems.settlementId, settlementId), settlementItems.unannounced))
    .orderBy(asc(settlementItems.id))
    .limit(maxItems)
    .for('update')
  if (changed.length === 0) return []
  const ids = changed.map(({ id }) => id)
  await tx.update(settlementItems).set({ unannounced: false }).where(inArray(settlementItems.id, ids))
  // Locked now: none of them changes before the commit.
  return tx
    .select({
      reference: settlementItems.reference,
      status: settlementItems.status,
      failureCode: settlementItems.failureCode,
      reversedAmount: settlementItems.reversedAmount,
    })
    .from(settlementItems)
    .where(inArray(settlementItems.id, ids))
    .orderBy(asc(settlementItems.position))
}

/** A batch ends once each of its items has; a payout that returns later changes it again. */
function statusFrom({ status }: BatchRow, { items }: ItemCounts): BatchRow['status'] {
  if (status === 'needs_approval' || status === 'accepted' || items.pending + items.sent + items.unknown > 0)
    return status
  if (items.failed + items.returned === 0) return items.settled > 0 ? 'completed' : status
  return items.settled + items.returned === 0 ? 'failed' : 'partially_failed'
}

type BatchChange = Partial<Omit<BatchRow, 'status'>> & Pick<BatchRow, 'status'>

/** Stores a change of a locked batch with its callback and webhooks. */
export async function changeBatch(
  tx: Database,
  work: Omit<Announcing, 'db'>,
  batch: BatchRow,
  change: BatchChange,
  items: readonly ChangedItem[] = [],
): Promise<BatchRow> {
  const at = work.now()
  const isFinal = ['completed', 'partially_failed', 'failed'].includes(change.status)
  const [after] = await tx
    .update(settlements)
    .set({
      ...change,
      ...(isFinal && { finishedAt: batch.finishedAt ?? at }),
      ...(change.status === 'failed' && { failure: change.failure ?? batch.failure ?? 'items_failed' }),
      lastSequence: sql`${settlements.lastSequence} + 1`,
      version: sql`${settlements.version} + 1`,
    })
    .where(eq(settlements.id, batch.id))
    .returning()
  if (!after) throw new Error('The locked batch is gone')
  await announceBatch(tx, work, after, items)
  return after
}

/** Ends a locked batch of which nothing was sent. */
export async function failBatch(
  tx: Database,
  work: Omit<Announcing, 'db'>,
  batch: BatchRow,
  change: Pick<BatchChange, 'missingAmount' | 'decidedBy' | 'decidedAt'> & Pick<BatchRow, 'failure'>,
): Promise<BatchRow> {
  await tx
    .update(settlementItems)
    .set({
      status: 'failed',
      failureCode: 'not_sent',
      failureMessage: 'The batch was not paid.',
      changedAt: work.now(),
      unannounced: true,
      version: sql`${settlementItems.version} + 1`,
    })
    .where(eq(settlementItems.settlementId, batch.id))
  const items = await takeUnannounced(tx, batch.id)
  const failed = await changeBatch(tx, work, batch, { ...change, status: 'failed', dueAt: null }, items)
  if (items.length === maxItems) await announceSettlement(tx, work, { ...batch, settlementId: batch.id })
  return failed
}

/** The batch as it is, under its `lastSequence`. */
export async function announceBatch(
  tx: Database,
  work: Omit<Announcing, 'db'>,
  batch: BatchRow,
  items: readonly ChangedItem[] = [],
): Promise<void> {
  const { id, organizationId, batchId, status, lastSequence: sequence } = batch
  await addCallback(tx, work, batch, items)
  await emitWebhook(tx, work, {
    organizationId,
    event: settlementUpdated,
    data: {
      settlementId: id,
      batchId,
      sequence,
      status,
      items: items.map((item) => ({ ...item, returnedAmount: item.reversedAmount })),
    },
  })
  await publishSettlement(work, tx, { organizationId, settlementId: id })
}
