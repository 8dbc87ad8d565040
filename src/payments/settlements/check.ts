import { and, eq, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import type { Clock } from '#lib/time.ts'
import { settlementItems, settlements } from '../schema.ts'
import type { BatchRow } from './rows.ts'
import { enqueueStart } from './start.ts'
import { enqueueWork } from './work-items.ts'

type Checking = Pick<Provided, 'queue'> & { readonly db: Database; readonly now: Clock }

/** Asks the provider about all items now, also those that were paid: payouts can return. @throws {Problem} 409 */
export async function checkBatch({ db, queue, now }: Checking, batch: BatchRow): Promise<void> {
  const { id, organizationId, batchId, status } = batch
  if (status === 'needs_approval')
    throw conflict('batch_state', `Batch ${batchId} waits for approval, so nothing was sent.`, {
      state: status,
    })
  if (status === 'accepted') {
    await db.update(settlements).set({ dueAt: now() }).where(eq(settlements.id, id))
    await enqueueStart(db, { queue }, batch)
  }
  const due = await db
    .update(settlementItems)
    .set({ dueAt: now() })
    .where(
      and(
        eq(settlementItems.settlementId, id),
        // Nothing was sent of the others.
        sql`${settlementItems.transferSentAt} IS NOT NULL`,
        or(ne(settlementItems.status, 'failed'), isNull(settlementItems.reversalId)),
        // A server works on them at this moment.
        or(isNull(settlementItems.leaseOwner), lte(settlementItems.dueAt, now())),
      ),
    )
    .returning({ id: settlementItems.id })
  if (due.length > 0) await enqueueWork(db, { queue }, due.length)
  recordChange(db, { object: 'settlement', id, organizationId, after: { checked: due.length } })
}
