import type { JobDependencies } from '#lib/job.ts'
import type { Run } from './claim.ts'
import { performStep } from './perform-step.ts'
import { failRun, settleRun } from './settle.ts'

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
