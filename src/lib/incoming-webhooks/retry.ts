import { and, asc, count, eq, isNotNull, lt, sql, type SQL } from 'drizzle-orm'
import type { Call } from '../call.ts'
import { transact, type Database } from '../db.ts'
import { receivedWebhooks } from '../schema.ts'
import { handlingNamed } from './handle.ts'

interface Rounds {
  /** Milliseconds after which all attempts of a round have ended: an event is also `failed` between them. */
  roundMs: number
  /** How often an event has all attempts, with waits between that double. */
  rounds: number
  now: Date
}

const failed = (webhook: string): SQL | undefined =>
  and(eq(receivedWebhooks.webhook, webhook), eq(receivedWebhooks.state, 'failed'))

const waited = ({ roundMs, now }: Rounds): SQL =>
  sql`${receivedWebhooks.settledAt} < ${now.toISOString()}::timestamptz
    - ${roundMs} * interval '1 millisecond' * power(2, ${receivedWebhooks.round} - 1)`

/** Enqueues failed events whose attempts have ended again, the oldest first. Returns how many. */
export const retryFailed = (
  { db, queue }: Pick<Call, 'db' | 'queue'>,
  webhook: string,
  { limit, ...rounds }: Rounds & { limit: number },
): Promise<number> =>
  transact(db, async (tx) => {
    const due = await tx
      .select({ id: receivedWebhooks.id })
      .from(receivedWebhooks)
      .where(and(failed(webhook), lt(receivedWebhooks.round, rounds.rounds), waited(rounds)))
      .orderBy(asc(receivedWebhooks.id))
      .limit(limit)
      .for('update', { skipLocked: true })
    for (const { id } of due) {
      const [row] = await tx
        .update(receivedWebhooks)
        .set({ state: 'waiting', problem: null, settledAt: null, round: sql`${receivedWebhooks.round} + 1` })
        .where(eq(receivedWebhooks.id, id))
        .returning({ round: receivedWebhooks.round })
      if (row) await queue.enqueue(tx, handlingNamed(webhook), { id, round: row.round })
    }
    return due.length
  })

/** How many events of each organization have failed in all attempts of a round, also while they are tried again. */
export function countStuck(
  db: Database,
  webhook: string,
  { roundMs, now }: Omit<Rounds, 'rounds'>,
): Promise<{ organizationId: string | null; count: number }[]> {
  const { organizationId, round, state, settledAt, attemptLog } = receivedWebhooks
  const before = new Date(now.getTime() - roundMs).toISOString()
  const hasEnded = sql`(${state} = 'failed' AND ${settledAt} < ${before}::timestamptz)`
  return db
    .select({ organizationId, count: count() })
    .from(receivedWebhooks)
    .where(
      and(
        eq(receivedWebhooks.webhook, webhook),
        sql`${state} IN ('waiting', 'failed')`,
        isNotNull(organizationId),
        sql`(${hasEnded} OR (${round} > 1 AND ${attemptLog} -> -1 ->> 'problem' IS NOT NULL))`,
      ),
    )
    .groupBy(organizationId)
}
