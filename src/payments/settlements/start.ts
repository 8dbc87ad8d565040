import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isAccountChanged } from '#gateway'
import { transact, type Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import type { Queue } from '#lib/queue.ts'
import { settlementItems, settlements } from '../schema.ts'
import { payerOf } from '../provider-account.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'
import { fromProviderUnits } from '../provider-units.ts'
import { askAboutStart, endStart } from './actions.ts'
import { changeBatch, failBatch } from './announce.ts'
import { withBatchAccount } from './item-account.ts'
import type { BatchRow } from './rows.ts'
import { enqueueWork } from './work-items.ts'

/** Until a batch whose balance can’t be read is tried again; less where checks follow faster. */
const maxRetrySeconds = 60
/** Until transfers of other batches that are on their way have arrived. */
const soonMs = 3_000

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
    const known = await withBatchAccount(work, batch)
    const seen = await readPromised(work.db, known)
    const available = await readAvailable(work, known)
    await transact(work.db, (tx) => begin(tx, work, known, { available, seen }))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await transact(work.db, (tx) => postpone(tx, work, batch, error))
  }
}

async function readAvailable({ gateway }: PaymentsWork, batch: BatchRow): Promise<bigint> {
  const { currency } = batch
  const { available } = await gateway.payments.getBalance(payerOf(batch))
  return available
    .filter((funds) => funds.currency === currency)
    .reduce((sum, { amount }) => sum + fromProviderUnits(amount, currency), 0n)
}

interface Funds {
  available: bigint
  /** What was promised before `available` was read. */
  seen: Promised
}

async function begin(tx: Database, work: PaymentsWork, seenBatch: BatchRow, funds: Funds): Promise<void> {
  const { id, organizationId, currency } = seenBatch
  const lock = `settlement funds ${organizationId} ${currency}`
  // Two batches can’t count on the same money.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const [batch] = await tx.select().from(settlements).where(eq(settlements.id, id)).for('update')
  if (batch?.status !== 'accepted') return
  const decision = decide(batch, funds, await readPromised(tx, batch))
  if (decision === 'wait') {
    await tx
      .update(settlements)
      .set({ dueAt: new Date(work.now().getTime() + soonMs) })
      .where(eq(settlements.id, id))
    return
  }
  await endStart(tx, batch)
  if (decision !== 'start') {
    await failBatch(tx, work, batch, { failure: 'balance_short', missingAmount: decision })
    return
  }
  await changeBatch(tx, work, batch, { status: 'processing', startedAt: work.now(), dueAt: null })
  await tx.update(settlementItems).set({ dueAt: work.now() }).where(eq(settlementItems.settlementId, id))
  await enqueueWork(tx, work, batch.itemCount)
}

/** Or what the balance lacks. Transfers of other batches that are on their way can be in the balance or not. */
function decide({ controlSum }: BatchRow, { available, seen }: Funds, promised: Promised): 'start' | 'wait' | bigint {
  if (promised.batches !== seen.batches) return 'wait'
  if (available - seen.amount >= controlSum) return 'start'
  const left = available - (promised.amount - promised.onTheWay)
  if (promised.amount !== seen.amount || left >= controlSum) return 'wait'
  return controlSum - (left > 0n ? left : 0n)
}

interface Promised {
  /** What other batches have yet to transfer. */
  amount: bigint
  /** What of it was sent, and can have left the balance. */
  onTheWay: bigint
  /** How many were started until now. */
  batches: number
}

const Row = z
  .array(z.object({ amount: z.coerce.bigint(), onTheWay: z.coerce.bigint(), batches: z.coerce.number() }))
  .length(1)

async function readPromised(db: Database, { id, organizationId, currency }: BatchRow): Promise<Promised> {
  const rows = await db.execute(sql`
    SELECT coalesce(sum(item.amount), 0) AS amount,
      coalesce(sum(item.amount) FILTER (WHERE item.transfer_sent_at IS NOT NULL), 0) AS "onTheWay", (
        SELECT count(*) FROM payments.settlements
        WHERE organization_id = ${organizationId} AND currency = ${currency} AND started_at IS NOT NULL) AS batches
    FROM payments.settlement_items AS item
    JOIN payments.settlements AS batch ON batch.id = item.settlement_id
    WHERE batch.organization_id = ${organizationId} AND batch.status = 'processing'
      AND batch.currency = ${currency} AND batch.id <> ${id}
      AND item.transfer_id IS NULL AND item.status IN ('pending', 'unknown')`)
  const [promised] = Row.parse(rows)
  if (!promised) throw new Error('A sum has no row')
  return promised
}

async function postpone(tx: Database, work: PaymentsWork, { id }: BatchRow, error: Problem): Promise<void> {
  const retrySeconds = Math.min(maxRetrySeconds, work.config.PAYMENTS_SWEEP_S[0] ?? maxRetrySeconds)
  const soon = new Date(work.now().getTime() + retrySeconds * 1_000)
  const [batch] = await tx
    .update(settlements)
    // Without a key of its account a person has to act first.
    .set({ dueAt: isAccountChanged(error) ? nextCheckOf(work, Infinity, { repeat: true }) : soon })
    .where(and(eq(settlements.id, id), eq(settlements.status, 'accepted')))
    .returning()
  if (!batch) return
  work.log.warn('A settlement batch couldn’t be started', { settlement: id, code: error.code })
  await askAboutStart(tx, batch, error.message)
}
