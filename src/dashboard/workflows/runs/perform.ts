import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { JobDependencies } from '#lib/job.ts'
import { workflowRuns } from '../../schema.ts'
import type { StepLog } from '../contract.ts'
import { lease, type Run } from './claim.ts'
import { publishWorkflow } from '../publish.ts'
import { failRun, settleRun } from './settle.ts'
import { inputOf, raise, sendWebhook, type StepOutcome } from './steps.ts'

const [second, minute] = [1_000, 60_000]

/** Milliseconds to wait after each failed attempt of a step. */
export const retryDelays = [10 * second, minute, 5 * minute, 30 * minute] as const

const maxLogged = 100

/** The steps that aren't done, in order. Returns when to continue after a failed attempt. */
export async function performSteps(call: JobDependencies, claimed: Run): Promise<Date | null> {
  let run = claimed
  for (;;) {
    const step = run.steps[run.done]
    if (!step) {
      await call.database.transaction((tx) => settleRun(tx, call, run, 'succeeded'))
      return null
    }
    const after = await performStep(call, run, step)
    // Another server continued it.
    if (!after) return null
    if (after.done === run.done) return failedAttempt(call, after)
    run = after
  }
}

async function failedAttempt(call: JobDependencies, run: Run): Promise<Date | null> {
  if (run.nextAttemptAt) return run.nextAttemptAt
  await failRun(call, run)
  return null
}

async function performStep(call: JobDependencies, run: Run, step: Run['steps'][number]): Promise<Run | null> {
  const at = call.now()
  const startedAt = performance.now()
  const record = async (tx: Database, { result, error }: StepOutcome) => {
    await publishWorkflow(call, tx, run.workflowId)
    return store(tx, run, {
      step: run.done + 1,
      type: step.type,
      attempt: run.attempts + 1,
      at: at.toISOString(),
      durationMs: Math.round(performance.now() - startedAt),
      outcome: error === null ? 'done' : 'failed',
      input: inputOf(step, run.data),
      result,
      error,
    })
  }
  if (step.type === 'webhook') {
    const outcome = await sendWebhook(call, run, { step, at })
    return call.database.transaction((tx) => record(tx, outcome))
  }
  return call.database.transaction(async (tx) => {
    const stored = await record(tx, { result: null, error: null })
    if (stored) await raise(tx, run, step, at)
    return stored
  })
}

/** Null when it isn't where this server left it. */
async function store(tx: Database, run: Run, entry: StepLog): Promise<Run | null> {
  const isDone = entry.outcome === 'done'
  const delayMs = isDone ? undefined : retryDelays[run.attempts]
  const nextAttemptAt = delayMs === undefined ? null : new Date(Date.parse(entry.at) + entry.durationMs + delayMs)
  const [stored] = await tx
    .update(workflowRuns)
    .set({
      done: run.done + (isDone ? 1 : 0),
      attempts: isDone ? 0 : run.attempts + 1,
      log: [...run.log, entry].slice(-maxLogged),
      nextAttemptAt,
      leasedUntil: isDone ? lease : sql`NULL`,
      state: nextAttemptAt ? 'waiting' : 'running',
    })
    .where(
      and(
        eq(workflowRuns.id, run.id),
        eq(workflowRuns.round, run.round),
        eq(workflowRuns.done, run.done),
        eq(workflowRuns.attempts, run.attempts),
        eq(workflowRuns.state, 'running'),
      ),
    )
    .returning()
  return stored ?? null
}
