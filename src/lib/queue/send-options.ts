import type { SendOptions } from 'pg-boss'
import type { Database } from '../db.ts'
import type { Job } from '../job.ts'
import { priorityOf } from './turns.ts'

export interface EnqueueOptions {
  startAfter?: Date | number
  /** Higher ones run first within their queue. Default: 0, or a negative number by which tenants take turns. */
  priority?: number
  /** A planned time of the schedule: only one of the servers that enqueue a job for it succeeds. */
  tick?: Date
  /** A waiting job of the same `uniqueBy` key starts at `startAfter` instead, earlier or later. */
  moves?: boolean
}

/** Seconds; far more than the clocks of servers differ, and less than completed jobs are kept. */
const tickSeconds = 24 * 60 * 60

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
      priority: priority ?? (await priorityOf(db, { queue: name, tenant, startAfter })),
    }),
    ...(uniqueBy && { singletonKey: uniqueBy(input) }),
    ...(tick && { singletonKey: tick.toISOString(), singletonSeconds: tickSeconds }),
  }
}
