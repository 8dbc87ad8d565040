import { and, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { transact, type Database } from '#lib/db.ts'
import { retryLater } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { firstActivity, overlapMs } from '../movements/collect.ts'
import { reconciliationRuns } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { publishReconciliation } from './reconciliation.topic.ts'

export type RunRow = typeof reconciliationRuns.$inferSelect

const dayMs = 24 * 60 * 60_000
/** Refunds, disputes and returned payouts change what is some weeks old. */
const windowMs = 35 * dayMs
/** A run without progress for so long lost its server. */
const lostMs = 6 * 60 * 60_000

type Starting = Pick<PaymentsWork, 'db' | 'now' | 'events'>

interface Started {
  run: RunRow
  /** False for one that runs already. */
  isNew: boolean
}

/** One at a time for each organization. The caller enqueues its job on the same transaction. */
export async function insertRun(
  work: Starting,
  organizationId: string,
  startedBy: string | null,
  enqueue: (tx: Database, run: RunRow) => Promise<void>,
): Promise<Started> {
  const until = work.now()
  const oldest = new Date(until.getTime() - windowMs)
  const first = new Date((await firstActivity(work, { organizationId })).getTime() - overlapMs)
  return transact(work.db, async (tx) => {
    await endLost(tx, organizationId, until)
    const values = {
      id: newId(),
      organizationId,
      startedBy,
      startedAt: until,
      windowFrom: wholeSecond(first > oldest ? first : oldest),
      windowUntil: until,
    }
    const [run] = await tx.insert(reconciliationRuns).values(values).onConflictDoNothing().returning()
    if (run) {
      await enqueue(tx, run)
      await publishReconciliation(work, tx, organizationId)
      return { run, isNew: true }
    }
    const [running] = await tx
      .select()
      .from(reconciliationRuns)
      .where(and(eq(reconciliationRuns.organizationId, organizationId), eq(reconciliationRuns.state, 'running')))
      .orderBy(desc(reconciliationRuns.id))
    if (!running) throw new Error('The running reconciliation is gone')
    return { run: running, isNew: false }
  })
}

const sharedPauseMs = 60 * 60_000

/**
 * A run reads everything of an account, also what is of the other organizations that use it. @throws {Problem} 429 within
 * an hour after a run of a shared account
 */
export async function requirePause({ db, now }: Starting, organizationId: string): Promise<void> {
  const [last] = await db
    .select()
    .from(reconciliationRuns)
    .where(eq(reconciliationRuns.organizationId, organizationId))
    .orderBy(desc(reconciliationRuns.id))
    .limit(1)
  if (last?.scope !== 'shared' || last.state !== 'succeeded' || last.finishedAt === null) return
  const left = last.finishedAt.getTime() + sharedPauseMs - now().getTime()
  if (left <= 0) return
  const detail = 'Ledger and provider were compared within the last hour. Try again later, or look at the result.'
  throw retryLater(429, 'reconciliation_recent', detail, { retryAfter: Math.ceil(left / 1_000) })
}

/** The provider’s times have no fractions. */
const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1_000) * 1_000)

const endLost = (tx: Database, organizationId: string, now: Date) =>
  tx
    .update(reconciliationRuns)
    .set({ state: 'failed', finishedAt: now, errorCode: 'lost', errorDetail: 'Its server stopped.' })
    .where(
      and(
        eq(reconciliationRuns.organizationId, organizationId),
        eq(reconciliationRuns.state, 'running'),
        sql`${reconciliationRuns.startedAt} < ${new Date(now.getTime() - lostMs).toISOString()}`,
      ),
    )

/** UTC. */
const firstHour = 4
/** Organizations begin within it, each at its own minute. */
const spreadMinutes = 60

/** When the daily run of an organization begins on the day of `now`. */
function startOn(organizationId: string, now: Date): Date {
  const at = new Date(now)
  at.setUTCHours(firstHour, Number(Bun.hash(organizationId) % BigInt(spreadMinutes)), 0, 0)
  return at
}

export function nextStartOf(organizationId: string, now: Date): Date {
  const today = startOn(organizationId, now)
  return today > now ? today : new Date(today.getTime() + dayMs)
}

const Due = z.array(z.object({ organizationId: z.string() }))

/** Organizations whose money moved, and that had no run since the first hour of today. */
export async function listDue(db: Database, now: Date): Promise<string[]> {
  const first = new Date(now)
  first.setUTCHours(firstHour, 0, 0, 0)
  if (first > now) return []
  const rows = await db.execute(sql`
    SELECT DISTINCT head.organization_id AS "organizationId" FROM payments.ledger_heads AS head
    WHERE NOT EXISTS (
      SELECT FROM payments.reconciliation_runs AS run
      WHERE run.organization_id = head.organization_id AND run.started_at >= ${first.toISOString()})`)
  return Due.parse(rows)
    .map(({ organizationId }) => organizationId)
    .filter((id) => startOn(id, now) <= now)
}
