import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { audited } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { takeDeadLetter } from '#lib/dead-letters.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'

/** A queue of background work. */
export const QueueDepth = z.object({
  name: z.string(),
  waiting: z.int(),
  retrying: z.int().describe('Of the waiting ones those that failed before.'),
  active: z.int(),
  dead: z.int().describe('Jobs that used up their retries.'),
  oldestDueAt: Timestamp.nullable(),
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
