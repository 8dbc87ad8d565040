import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type { JobDependencies } from '#lib/job.ts'
import type { Database } from '#lib/db.ts'
import { workflowRuns } from '../../schema.ts'

export type Run = typeof workflowRuns.$inferSelect

/** Runs of an organization that work at the same time, on all servers. */
const maxAtOnce = 5
/** Seconds after which another run of a busy organization looks again. */
const busySeconds = 5
/** Longer than a step; renewed with each of them. After a killed server, another one continues then. */
export const lease = sql`now() + interval '45 seconds'`

interface Claim {
  run: Run | null
  /** When to look again. */
  later: Date | number | null
}

const nothing: Claim = { run: null, later: null }

/** For this server, until its lease ends. */
export const claimRun = (
  { database, now }: Pick<JobDependencies, 'database' | 'now'>,
  { id, round, organizationId }: { id: string; round: number; organizationId: string },
): Promise<Claim> =>
  database.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`workflow claims ${organizationId}`}, 0))`)
    const leased = sql<boolean>`coalesce(${workflowRuns.leasedUntil} > now(), false)`
    const [found] = await tx
      .select({ run: workflowRuns, leased })
      .from(workflowRuns)
      .where(and(eq(workflowRuns.id, id), eq(workflowRuns.round, round)))
      .for('update')
    if (!found || found.run.settledAt) return nothing
    const { nextAttemptAt } = found.run
    if (nextAttemptAt && nextAttemptAt > now()) return { run: null, later: nextAttemptAt }
    if (found.leased || (await countWorking(tx, organizationId, id)) >= maxAtOnce)
      return { run: null, later: busySeconds }
    const [run] = await tx
      .update(workflowRuns)
      .set({ state: 'running', leasedUntil: lease, nextAttemptAt: null })
      .where(eq(workflowRuns.id, id))
      .returning()
    return run ? { run, later: null } : nothing
  })

const countWorking = (tx: Database, organizationId: string, exceptId: string): Promise<number> =>
  tx.$count(
    workflowRuns,
    and(
      eq(workflowRuns.organizationId, organizationId),
      gt(workflowRuns.leasedUntil, sql`now()`),
      ne(workflowRuns.id, exceptId),
    ),
  )
