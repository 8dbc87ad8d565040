import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { audited } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { queueDepths, takeDeadLetter } from '#lib/dead-letters.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'

/** A queue of background work. */
export const QueueDepth = z.object({
  name: z.string(),
  waiting: z.int(),
  retrying: z.int().describe('Of the waiting ones those that failed before.'),
  delayed: z.int().describe('Of the waiting ones those that come due later.'),
  active: z.int(),
  dead: z.int().describe('Jobs that used up their retries.'),
  oldestDueAt: Timestamp.nullable().describe('When the job that waits longest came due; null when none is due.'),
  settings: z
    .object({
      concurrency: z.int().describe('Jobs, or batches, that one server runs side by side.'),
      perTenant: z.int().nullable().describe('Of them, those of one tenant; null when tenants are not told apart.'),
      batchSize: z.int().describe('Jobs of a batch; 1 when they are run one by one.'),
    })
    .nullable()
    .describe('How this server works the queue; null when it does not.'),
})
export type QueueDepth = z.output<typeof QueueDepth>

/** A job that used up its retries. */
export const DeadJob = z.object({
  id: Id,
  queue: z.string(),
  input: z.record(z.string(), z.unknown()).describe('Secrets hidden.'),
  error: z.string().nullable(),
  attempts: z.int(),
  enqueuedAt: Timestamp,
  diedAt: Timestamp,
})
export type DeadJob = z.output<typeof DeadJob>

/** Every queue with what it has to do and how it is worked, by name. */
export async function queuesOf({ db, queue }: Pick<Call, 'db' | 'queue'>) {
  const depths = await queueDepths(db)
  return depths.map((depth) => ({ ...depth, settings: queue.settings(depth.name) ?? null }))
}

type Acting = Call<{ id: string }, Actor>

/** Gives a job that was given up to its queue again. Throws 404 when there is none, also after it was replayed. */
export async function replay({ db, queue, input }: Acting): Promise<void> {
  const name = await queue.replay(db, input.id)
  if (!name) throw notFound('job')
  audited(db, { object: 'job', id: input.id, before: { state: 'dead' }, after: { state: 'waiting', queue: name } })
}

/** Forgets a job that was given up. Throws 404 when there is none. */
export async function discard({ db, input }: Acting): Promise<void> {
  const letter = await takeDeadLetter(db, input.id)
  if (!letter) throw notFound('job')
  audited(db, { object: 'job', id: input.id, before: { state: 'dead', queue: letter.queue } })
}
