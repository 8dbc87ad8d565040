import type { PaymentsWork } from '../../work.ts'
import { eq } from 'drizzle-orm'
import { auditedJobTransaction } from '#lib/audit.ts'
import { transact } from '#lib/db.ts'
import { shareRuns } from '../../share-runs.ts'
import { subscriptions } from '../../schema.ts'
import { settleChanges } from '../changes/settle.ts'
import { applySnapshot } from './apply.ts'
import { endLate } from './end-late.ts'
import { endRefunded } from './late-action.ts'
import { readSnapshot } from './snapshot.ts'

const maxAttempts = 8
/** Milliseconds, multiplied by the attempt: several events of a subscription arrive at once. */
const maxPauseMs = 100

/**
 * Brings a subscription to the provider’s current state. Snapshots are applied in the order in which they were read, so
 * repeated, late and concurrent calls lead to the same state. @throws {Problem} of the gateway
 */
async function sync(work: PaymentsWork, id: string): Promise<void> {
  await settleChanges(work, id)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (attempt > 0) await Bun.sleep(Math.random() * maxPauseMs * attempt)
    const [seen] = await work.db.select().from(subscriptions).where(eq(subscriptions.id, id))
    if (!seen) return
    const snapshot = await endLate(work, seen, await readSnapshot(work, seen))
    await endRefunded(work, seen, snapshot)
    if (await inAuditedTransaction(work, (tx) => applySnapshot(tx, work, seen, snapshot))) return
  }
  throw new Error(`Subscription ${id} changed during each of ${maxAttempts} attempts to read it`)
}

export const inAuditedTransaction = <Result>(
  { db, now }: Pick<PaymentsWork, 'db' | 'now'>,
  run: Parameters<typeof transact<Result>>[1],
): Promise<Result> =>
  auditedJobTransaction(
    { transaction: (inside) => transact(db, inside) },
    { operation: 'updateSubscription', now, service: 'platform-pay' },
    run,
  )

export const syncSubscription = shareRuns(sync)
