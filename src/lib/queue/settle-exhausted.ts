import { claimDeadLetters, settleDeadLetter } from './dead-letters.ts'
import { logFault } from '../log/fault.ts'
import type { Job, JobDependencies } from '../job.ts'
import type { Log } from '../log.ts'
import { withSpan } from '../telemetry.ts'

const pollMs = 5_000

export async function settleExhausted(
  jobs: readonly Job[],
  work: JobDependencies,
  log: Log,
  signal?: AbortSignal,
): Promise<void> {
  const settling = new Map(jobs.filter(({ onRetriesExhausted }) => onRetriesExhausted).map((job) => [job.name, job]))
  if (settling.size === 0) return
  const { db } = work.database
  for (const { id, queue, data } of await claimDeadLetters(db, [...settling.keys()])) {
    if (signal?.aborted) return
    const job = settling.get(queue)
    const parsed = job?.input.safeParse(data)
    try {
      // An input that `run` doesn't accept either is left to the list of failed jobs.
      if (parsed?.success)
        await withSpan({ name: `job ${queue} out of retries` }, async () =>
          job?.onRetriesExhausted?.({ ...work, input: parsed.data }),
        )
      await settleDeadLetter(db, queue, id)
    } catch (error) {
      logFault(log, 'failed job not settled', error, { job: queue, id })
    }
  }
}

export interface Settling {
  stop(graceMs: number): Promise<void>
}

export function startSettling(jobs: readonly Job[], work: JobDependencies, log: Log): Settling {
  if (!jobs.some(({ onRetriesExhausted }) => onRetriesExhausted)) return { stop: async () => {} }
  let settling: Promise<void> | undefined
  const stopping = new AbortController()
  const poll = () => {
    settling ??= settleExhausted(jobs, work, log, stopping.signal)
      .catch((error: unknown) => logFault(log, 'queue', error))
      .finally(() => (settling = undefined))
  }
  const timer = setInterval(poll, pollMs)
  return {
    stop: async (graceMs) => {
      clearInterval(timer)
      stopping.abort()
      if (settling) await Promise.race([settling, Bun.sleep(graceMs)])
    },
  }
}
