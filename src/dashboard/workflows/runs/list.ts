import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { workflowRuns } from '../../schema.ts'
import type { RunQuery, WorkflowRun, WorkflowRunDetail } from '../contract.ts'
import { hideUrl } from '../hide-url.ts'
import { publishWorkflow } from '../publish.ts'
import type { Run } from './claim.ts'
import { runWorkflow } from './run.job.ts'
import { settleRun } from './settle.ts'

export async function listRuns(db: Database, { id, state, ...query }: RunQuery): Promise<PageOf<Run>> {
  const slice = byId(workflowRuns.id, 'desc').slice(query)
  const inState = state && eq(workflowRuns.state, state)
  const rows = await db
    .select()
    .from(workflowRuns)
    .where(and(eq(workflowRuns.workflowId, id), inState, slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

interface RunKey {
  organizationId: string
  id: string
  runId: string
}

const byKey = ({ organizationId, id, runId }: RunKey) =>
  and(eq(workflowRuns.id, runId), eq(workflowRuns.workflowId, id), eq(workflowRuns.organizationId, organizationId))

/** @throws {Problem} 404 */
export async function findRun(db: Database, key: RunKey): Promise<Run> {
  const [run] = await db.select().from(workflowRuns).where(byKey(key))
  if (!run) throw notFound('run')
  return run
}

/** From the step that failed. @throws {Problem} 404, 409 unless it failed or was skipped */
export async function retryRun(
  { db, queue, events }: Pick<Call<unknown, Actor>, 'db' | 'queue' | 'events'>,
  key: RunKey,
): Promise<Run> {
  const [before] = await db.select().from(workflowRuns).where(byKey(key)).for('no key update')
  if (!before) throw notFound('run')
  if (!retryable.has(before.state))
    throw conflict('run_not_failed', 'Only failed, skipped and cancelled runs can be retried.')
  const [run] = await db
    .update(workflowRuns)
    .set({
      state: 'waiting',
      round: before.round + 1,
      attempts: 0,
      sends: 0,
      note: null,
      settledAt: null,
      nextAttemptAt: null,
    })
    .where(eq(workflowRuns.id, before.id))
    .returning()
  if (!run) throw notFound('run')
  await publishWorkflow({ events }, db, run.workflowId)
  await queue.enqueue(db, runWorkflow, { id: run.id, round: run.round, organizationId: key.organizationId })
  recordChange(db, { object: 'workflow_run', id: run.id, before: { state: before.state }, after: { state: run.state } })
  return run
}

/** One that waits. @throws {Problem} 404, 409 once it runs or ended */
export async function cancelRun(call: Pick<Call<unknown, Actor>, 'db' | 'events' | 'now'>, key: RunKey): Promise<Run> {
  const { db } = call
  const [before] = await db.select().from(workflowRuns).where(byKey(key)).for('no key update')
  if (!before) throw notFound('run')
  if (before.state !== 'waiting') throw conflict('run_not_waiting', 'Only waiting runs can be cancelled.')
  const run = await settleRun(db, call, before, 'cancelled')
  if (!run) throw notFound('run')
  recordChange(db, { object: 'workflow_run', id: run.id, before: { state: before.state }, after: { state: run.state } })
  return run
}

const retryable: ReadonlySet<Run['state']> = new Set(['failed', 'skipped', 'cancelled'])

export const describeRun = (run: Run): z.input<typeof WorkflowRun> => ({ ...run, steps: run.steps.length })

export const describeRunDetail = (run: Run, canWrite: boolean): z.input<typeof WorkflowRunDetail> => ({
  ...describeRun(run),
  data: run.data,
  log: run.log.map((entry) => ({
    ...entry,
    at: new Date(entry.at),
    input: canWrite || entry.input.url === undefined ? entry.input : { url: hideUrl(entry.input.url) },
  })),
  can: { retry: canWrite && retryable.has(run.state), cancel: canWrite && run.state === 'waiting' },
})
