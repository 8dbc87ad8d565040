import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { JobDependencies } from '#lib/job.ts'
import { workflowRuns } from '../../schema.ts'
import type { Step, StepLog } from '../contract.ts'
import { lease, type Run } from './claim.ts'
import { publishWorkflow } from '../publish.ts'
import { audienceOf } from './audience.ts'
import { inputOf, raise, sendWebhook, type StepOutcome } from './steps.ts'

const [second, minute] = [1_000, 60_000]

/** Milliseconds to wait after each failed attempt of a step. */
export const retryDelays = [10 * second, minute, 5 * minute, 30 * minute] as const

const maxLogged = 100

/** Requests of an attempt: one is repeated after its server was killed, and never a second time. */
const maxSends = 2

const interrupted: StepOutcome = {
  result: null,
  status: null,
  error:
    'The server stopped twice while it sent the request. The receiver may have it. Retry the run to send it again.',
}

/** Null when another server continued the run. Its outcome is stored. */
export async function performStep(call: JobDependencies, run: Run, step: Step): Promise<Run | null> {
  const at = call.now()
  const startedAt = performance.now()
  const record = async (tx: Database, seen: Run, outcome: StepOutcome) => {
    const { result, status, error } = outcome
    const entry: StepLog = {
      step: run.done + 1,
      type: step.type,
      attempt: run.attempts + 1,
      at: at.toISOString(),
      durationMs: Math.round(performance.now() - startedAt),
      outcome: error === null ? 'done' : 'failed',
      input: inputOf(step, run.data),
      status,
      result,
      error,
    }
    await publishWorkflow(call, tx, run.workflowId)
    return store(tx, seen, entry, outcome === interrupted)
  }
  if (step.type === 'webhook') {
    if (run.sends >= maxSends) return call.database.transaction((tx) => record(tx, run, interrupted))
    const claimed = await beginSend(call.database.db, run)
    if (!claimed) return null
    const outcome = await sendWebhook(call, run, { step, at })
    return call.database.transaction((tx) => record(tx, claimed, outcome))
  }
  const audience = await audienceOf(call, run, step)
  return call.database.transaction(async (tx) => {
    const stored = await record(tx, run, { result: audience.result, status: null, error: null })
    if (stored) await raise(tx, run, { step, at, people: audience.people })
    return stored
  })
}

const where = (run: Run) =>
  and(
    eq(workflowRuns.id, run.id),
    eq(workflowRuns.round, run.round),
    eq(workflowRuns.done, run.done),
    eq(workflowRuns.attempts, run.attempts),
    eq(workflowRuns.sends, run.sends),
    eq(workflowRuns.state, 'running'),
  )

/** Null when another server continued it. */
async function beginSend(db: Database, run: Run): Promise<Run | null> {
  const [claimed] = await db
    .update(workflowRuns)
    .set({ sends: run.sends + 1, leasedUntil: lease })
    .where(where(run))
    .returning()
  return claimed ?? null
}

/** Null when it isn't where this server left it. */
async function store(tx: Database, run: Run, entry: StepLog, isLast: boolean): Promise<Run | null> {
  const isDone = entry.outcome === 'done'
  const delayMs = isDone || isLast ? undefined : retryDelays[run.attempts]
  const nextAttemptAt = delayMs === undefined ? null : new Date(Date.parse(entry.at) + entry.durationMs + delayMs)
  const [stored] = await tx
    .update(workflowRuns)
    .set({
      done: run.done + (isDone ? 1 : 0),
      attempts: isDone ? 0 : run.attempts + 1,
      sends: 0,
      log: [...run.log, entry].slice(-maxLogged),
      nextAttemptAt,
      leasedUntil: isDone ? lease : sql`NULL`,
      state: nextAttemptAt ? 'waiting' : 'running',
    })
    .where(where(run))
    .returning()
  return stored ?? null
}
