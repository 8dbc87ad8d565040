import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { job } from '#lib/job.ts'
import { settlementCallbacks, settlementItems, settlements } from '../schema.ts'
import { deliverCallback } from './callbacks/deliver.ts'
import { startSettlement } from './start.ts'
import { enqueueWork } from './work-items.ts'

const batch = 100
/** Jobs of callbacks are retried for a while before they count as lost. */
const lostMs = 600_000

/** Begins what is due: checks of items, batches whose balance couldn’t be read, and callbacks whose job was lost. */
export const resumeSettlements = job({
  name: 'payments.resume-settlements',
  input: z.object({}),
  retries: 0,
  run: async ({ database: { db }, queue, now }) => {
    const due = await db.$count(settlementItems, lte(settlementItems.dueAt, sql`now()`))
    if (due > 0) await enqueueWork(db, { queue }, due)
    const waiting = await db
      .select({ id: settlements.id, organizationId: settlements.organizationId })
      .from(settlements)
      .where(and(isNotNull(settlements.dueAt), lte(settlements.dueAt, now())))
      .orderBy(asc(settlements.dueAt))
      .limit(batch)
    for (const each of waiting) await queue.enqueue(db, startSettlement, each)
    const lost = await db
      .select({
        id: settlementCallbacks.id,
        round: settlementCallbacks.round,
        organizationId: settlementCallbacks.organizationId,
      })
      .from(settlementCallbacks)
      .where(
        and(
          eq(settlementCallbacks.state, 'waiting'),
          lte(settlementCallbacks.nextAttemptAt, new Date(now().getTime() - lostMs)),
        ),
      )
      .orderBy(asc(settlementCallbacks.nextAttemptAt))
      .limit(batch)
    for (const each of lost) await queue.enqueue(db, deliverCallback, each)
  },
})
