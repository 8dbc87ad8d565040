import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import { transact, type Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import type { Queue } from '#lib/queue.ts'
import { settlementItems, settlements } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { fromProviderUnits } from '../provider-units.ts'
import { askAboutStart, endStart } from './actions.ts'
import { changeBatch, failBatch } from './announce.ts'
import type { BatchRow } from './rows.ts'
import { enqueueWork } from './work-items.ts'

/** Until a batch whose balance can’t be read is tried again; less where checks follow faster. */
const maxRetrySeconds = 60

const Input = z.object({ id: Id, organizationId: Id })

export const startSettlement = job({
  name: 'payments.start-settlement',
  input: Input,
  concurrency: 4,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 2 },
  uniqueBy: ({ id }) => id,
  run: ({ input, database, ...work }) => startBatch({ ...work, db: database.db }, input.id),
})

/** On the transaction that accepts it. */
export const enqueueStart = (
  tx: Database,
  { queue }: { queue: Queue },
  { id, organizationId }: Pick<BatchRow, 'id' | 'organizationId'>,
): Promise<void> => queue.enqueue(tx, startSettlement, { id, organizationId })

/** Lets the items of an accepted batch be sent, when the balance at the provider is enough for all of them. */
async function startBatch(work: PaymentsWork, id: string): Promise<void> {
  const [batch] = await work.db
    .select()
    .from(settlements)
    .where(and(eq(settlements.id, id), eq(settlements.status, 'accepted')))
  if (!batch) return
  try {
    const available = await readAvailable(work, batch)
    await transact(work.db, (tx) => begin(tx, work, batch, available))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await transact(work.db, (tx) => postpone(tx, work, batch, error))
  }
}

async function readAvailable({ gateway }: PaymentsWork, { organizationId, currency }: BatchRow): Promise<bigint> {
  const { available } = await gateway.payments.getBalance({ organizationId })
  return available
    .filter((funds) => funds.currency === currency)
    .reduce((sum, { amount }) => sum + fromProviderUnits(amount, currency), 0n)
}

async function begin(tx: Database, work: PaymentsWork, seen: BatchRow, available: bigint): Promise<void> {
  const { id, organizationId, currency, controlSum } = seen
  const lock = `settlement funds ${organizationId} ${currency}`
  // Two batches can’t count on the same money.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const [batch] = await tx.select().from(settlements).where(eq(settlements.id, id)).for('update')
  if (batch?.status !== 'accepted') return
  const left = available - (await readPromised(tx, batch))
  await endStart(tx, batch)
  if (left < controlSum) {
    const missingAmount = controlSum - (left > 0n ? left : 0n)
    await failBatch(tx, work, batch, { failure: 'balance_short', missingAmount })
    return
  }
  await changeBatch(tx, work, batch, { status: 'processing', startedAt: work.now(), dueAt: null })
  await tx.update(settlementItems).set({ dueAt: work.now() }).where(eq(settlementItems.settlementId, id))
  await enqueueWork(tx, work, batch.itemCount)
}

/** What other batches have yet to transfer. */
async function readPromised(tx: Database, { id, organizationId, currency }: BatchRow): Promise<bigint> {
  const [row] = await tx
    .select({ sum: sql`coalesce(sum(${settlementItems.amount}), 0)`.mapWith(BigInt) })
    .from(settlementItems)
    .innerJoin(settlements, eq(settlements.id, settlementItems.settlementId))
    .where(
      and(
        eq(settlements.organizationId, organizationId),
        eq(settlements.status, 'processing'),
        eq(settlements.currency, currency),
        ne(settlements.id, id),
        isNull(settlementItems.transferId),
        sql`${settlementItems.status} IN ('pending', 'unknown')`,
      ),
    )
  return row?.sum ?? 0n
}

async function postpone(tx: Database, work: PaymentsWork, { id }: BatchRow, error: Problem): Promise<void> {
  const retrySeconds = Math.min(maxRetrySeconds, work.config.PAYMENTS_SWEEP_S[0] ?? maxRetrySeconds)
  const [batch] = await tx
    .update(settlements)
    .set({ dueAt: new Date(work.now().getTime() + retrySeconds * 1_000) })
    .where(and(eq(settlements.id, id), eq(settlements.status, 'accepted')))
    .returning()
  if (!batch) return
  work.log.warn('A settlement batch couldn’t be started', { settlement: id, code: error.code })
  await askAboutStart(tx, batch, error.message)
}
