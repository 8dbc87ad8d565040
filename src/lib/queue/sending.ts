import type { SendOptions } from 'pg-boss'
import type { Job } from '../job.ts'

/** When and in which order a job is run. */
export interface EnqueueOptions {
  /** Not before this time, or so many seconds from now. */
  startAfter?: Date | number
  /** Higher ones go first among those that wait in the same queue; 0 when not set. */
  priority?: number
  /** A planned time of the schedule: of all servers that enqueue a job for it, one does. */
  tick?: Date
}

/** Seconds; far more than servers' clocks differ, and less than completed jobs are kept. */
const tickMemory = 24 * 60 * 60

/** What pg-boss is told of one job. */
export const sendOptions = (
  { uniqueBy, perTenant }: Pick<Job, 'uniqueBy' | 'perTenant'>,
  input: unknown,
  { startAfter, priority, tick }: EnqueueOptions = {},
): SendOptions => ({
  ...(startAfter !== undefined && { startAfter }),
  ...(priority !== undefined && { priority }),
  ...(perTenant && { group: { id: perTenant.of(input) } }),
  ...(uniqueBy && { singletonKey: uniqueBy(input) }),
  ...(tick && { singletonKey: tick.toISOString(), singletonSeconds: tickMemory }),
})
