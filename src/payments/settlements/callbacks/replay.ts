import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { recordChange } from '#lib/audit.ts'
import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { problemOfStatus } from '#lib/outgoing-webhooks/attempt.ts'
import type { Clock } from '#lib/time.ts'
import type { SettlementCallback } from '../../contract/settlements.ts'
import { settlementCallbackAttempts, settlementCallbacks, settlements } from '../../schema.ts'
import type { BatchRow } from '../rows.ts'
import { publishSettlement } from '../settlements.topic.ts'
import { deliverCallback } from './deliver.ts'

type Described = z.input<typeof SettlementCallback>

const maxCallbacks = 100

/** The newest 100 with their attempts. */
export async function listCallbacks(db: Database, settlementId: string, sequence?: number): Promise<Described[]> {
  const rows = await db
    .select()
    .from(settlementCallbacks)
    .where(
      and(
        eq(settlementCallbacks.settlementId, settlementId),
        sequence === undefined ? undefined : eq(settlementCallbacks.sequence, sequence),
      ),
    )
    .orderBy(desc(settlementCallbacks.sequence))
    .limit(maxCallbacks)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const attempts = await db
    .select()
    .from(settlementCallbackAttempts)
    .where(inArray(settlementCallbackAttempts.callbackId, ids))
    .orderBy(desc(settlementCallbackAttempts.number))
  const logs = Map.groupBy(attempts, ({ callbackId }) => callbackId)
  return rows.map((row) => ({
    ...row,
    log: (logs.get(row.id) ?? []).map((attempt) => ({
      ...attempt,
      problem: attempt.problem ?? problemOfStatus(attempt.status),
    })),
  }))
}

type Replaying = Pick<Provided, 'queue' | 'events'> & { readonly db: Database; readonly now: Clock }

/** With all its retries, also after its URL responded 410. @throws {Problem} 404 */
export async function replayCallback(
  { db, queue, events, now }: Replaying,
  batch: BatchRow,
  sequence: number,
): Promise<Described> {
  const { id: settlementId, organizationId } = batch
  const [row] = await db
    .update(settlementCallbacks)
    .set({
      state: 'waiting',
      round: sql`${settlementCallbacks.round} + 1`,
      tries: 0,
      nextAttemptAt: now(),
      settledAt: null,
    })
    .where(and(eq(settlementCallbacks.settlementId, settlementId), eq(settlementCallbacks.sequence, sequence)))
    .returning()
  if (!row) throw notFound('callback')
  if (batch.callbacksStoppedAt !== null)
    await db.update(settlements).set({ callbacksStoppedAt: null }).where(eq(settlements.id, settlementId))
  await queue.enqueue(db, deliverCallback, { id: row.id, round: row.round, organizationId })
  await publishSettlement({ events }, db, { organizationId, settlementId })
  recordChange(db, {
    object: 'settlement_callback',
    id: row.id,
    organizationId,
    after: { batchId: batch.batchId, sequence, state: 'waiting', round: row.round },
  })
  const [replayed] = await listCallbacks(db, settlementId, sequence)
  if (!replayed) throw notFound('callback')
  return replayed
}
