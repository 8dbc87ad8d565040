import type { SendOptions } from 'pg-boss'
import type { Database } from '../db.ts'
import type { Job } from '../job.ts'
import { turnOf } from './turns.ts'

/** When and in which order a job is run. */
export interface EnqueueOptions {
  /** Not before this time, or so many seconds from now. */
  startAfter?: Date | number
  /**
   * Higher ones go first among those that wait in the same queue. When not set: 0, or of a `perTenant` job a negative
   * number that gives its tenant its turn.
   */
  priority?: number
  /** A planned time of the schedule: of all servers that enqueue a job for it, one does. */
  tick?: Date
}

/** Seconds; far more than servers' clocks differ, and less than completed jobs are kept. */
const tickMemory = 24 * 60 * 60

/** What pg-boss is told of one job. */
export async function sendOptions(
  db: Database,
  { name, uniqueBy, perTenant }: Pick<Job, 'name' | 'uniqueBy' | 'perTenant'>,
  input: unknown,
  { startAfter, priority, tick }: EnqueueOptions = {},
): Promise<SendOptions> {
  const tenant = perTenant?.of(input)
  return {
    ...(startAfter !== undefined && { startAfter }),
    ...(priority !== undefined && { priority }),
    ...(tenant !== undefined && {
      group: { id: tenant },
      priority: priority ?? (await turnOf(db, { queue: name, tenant, startAfter })),
    }),
    ...(uniqueBy && { singletonKey: uniqueBy(input) }),
    ...(tick && { singletonKey: tick.toISOString(), singletonSeconds: tickMemory }),
  }
}
