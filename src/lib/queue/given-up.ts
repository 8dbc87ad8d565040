import { claimDeadLetters, settleDeadLetter } from '../dead-letters.ts'
import { logFault } from '../fault-log.ts'
import type { Job, JobWork } from '../job.ts'
import type { Log } from '../log.ts'
import { traced } from '../telemetry.ts'

/** Milliseconds between looks for jobs that used up their retries. */
const lookMs = 5_000

/** Calls `onGivenUp` for failed jobs that it wasn't called for. A call that fails is repeated after a minute. */
export async function settleGivenUp(jobs: readonly Job[], work: JobWork, log: Log): Promise<void> {
  const settling = new Map(jobs.filter(({ onGivenUp }) => onGivenUp).map((job) => [job.name, job]))
  if (settling.size === 0) return
  const { db } = work.database
  for (const { id, queue, data } of await claimDeadLetters(db, [...settling.keys()])) {
    const job = settling.get(queue)
    const parsed = job?.input.safeParse(data)
    try {
      // An input that `run` doesn't accept either is left to the list of failed jobs.
      if (parsed?.success)
        await traced({ name: `job ${queue} given up` }, async () => job?.onGivenUp?.({ ...work, input: parsed.data }))
      await settleDeadLetter(db, id)
    } catch (error) {
      logFault(log, 'failed job not settled', error, { job: queue, id })
    }
  }
}

/** Settles failed jobs every few seconds. `stop` waits for a running call. */
export function startSettling(jobs: readonly Job[], work: JobWork, log: Log): { stop(): Promise<void> } {
  if (!jobs.some(({ onGivenUp }) => onGivenUp)) return { stop: async () => {} }
  let settling: Promise<void> | undefined
  const look = () => {
    settling ??= settleGivenUp(jobs, work, log)
      .catch((error: unknown) => logFault(log, 'queue', error))
      .finally(() => (settling = undefined))
  }
  const timer = setInterval(look, lookMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await settling
    },
  }
}
