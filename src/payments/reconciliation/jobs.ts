import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { job, type TypedJob } from '#lib/job.ts'
import type { Queue } from '#lib/queue.ts'
import { reconciliationRuns } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { advanceRun, failRun } from './run.ts'
import { insertRun, listDue, type RunRow } from './start.ts'

const Input = z.object({ runId: Id, organizationId: Id })

/** Compares an organization’s ledger with the provider, some pages at a time. */
export const reconcile: TypedJob<z.output<typeof Input>> = job({
  name: 'payments.reconcile',
  input: Input,
  concurrency: 2,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 1 },
  run: async ({ input, database: { db }, ...rest }) => {
    const work: PaymentsWork = { ...rest, db }
    const run = await resumeRun(db, input.runId)
    if (!run) return
    const hasMore = await advanceRun(work, run).catch(async (error: unknown) => {
      await failRun(work, run, { ...reasonOf(error), isLast: false })
      throw error
    })
    if (hasMore) await enqueueRun(db, work, run)
  },
  onRetriesExhausted: async ({ input, database: { db }, ...rest }) => {
    const [run] = await db.select().from(reconciliationRuns).where(eq(reconciliationRuns.id, input.runId))
    if (!run || run.state === 'succeeded') return
    const { errorCode, errorDetail } = run
    const reason = reasonOf(null)
    await failRun({ ...rest, db }, run, {
      code: errorCode ?? reason.code,
      message: errorDetail ?? reason.message,
      isLast: true,
    })
  },
})

/** A retry goes on with the run that failed, unless another one began meanwhile. */
async function resumeRun(db: Database, id: string): Promise<RunRow | null> {
  const [run] = await db
    .update(reconciliationRuns)
    .set({ state: 'running', finishedAt: null, attempts: sql`${reconciliationRuns.attempts} + 1` })
    .where(and(eq(reconciliationRuns.id, id), inArray(reconciliationRuns.state, ['running', 'failed'])))
    .returning()
    .catch((error: unknown) => {
      if (brokenConstraint(error) === null) throw error
      return []
    })
  return run ?? null
}

function reasonOf(error: unknown): { code: string; message: string } {
  const cause = error instanceof AggregateError ? error.errors[0] : error
  return cause instanceof Problem
    ? { code: cause.code, message: cause.message }
    : { code: 'interrupted', message: 'The comparison was interrupted.' }
}

export const enqueueRun = (
  db: Database,
  { queue }: { queue: Queue },
  { id, organizationId }: Pick<RunRow, 'id' | 'organizationId'>,
): Promise<void> => queue.enqueue(db, reconcile, { runId: id, organizationId })

/** Begins the runs of the day. */
export const planReconciliations = job({
  name: 'payments.plan-reconciliations',
  input: z.object({}),
  retries: 0,
  run: async ({ database: { db }, now, ...rest }) => {
    const work = { ...rest, db, now }
    for (const organizationId of await listDue(db, now()))
      await insertRun(work, organizationId, null, (tx, run) => enqueueRun(tx, work, run))
  },
})
