import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { listQueueDepths, takeDeadLetter } from '#lib/dead-letters.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'

/** A queue of background work. */
export const QueueDepth = z.object({
  name: z.string(),
  waiting: z.int(),
  retrying: z.int().describe('Waiting jobs that failed before; part of `waiting`.'),
  delayed: z.int().describe('Waiting jobs that are due later; part of `waiting`.'),
  active: z.int(),
  dead: z.int().describe('Failed jobs: their retries ran out.'),
  oldestDueAt: Timestamp.nullable().describe('When the oldest due job became due; null when none is due.'),
  settings: z
    .object({
      concurrency: z.int().describe('Concurrent jobs or batches on one server.'),
      perTenant: z.int().nullable().describe('Concurrent jobs of one tenant; null without that limit.'),
      batchSize: z.int().describe('Jobs per batch; 1 when jobs run one by one.'),
    })
    .nullable()
    .describe('This server’s workers of the queue; null when it has none.'),
})
export type QueueDepth = z.output<typeof QueueDepth>

/** A job that ran out of retries. */
export const DeadJob = z.object({
  id: Id,
  queue: z.string(),
  input: z.record(z.string(), z.unknown()).describe('Secrets are masked.'),
  error: z.string().nullable(),
  attempts: z.int(),
  enqueuedAt: Timestamp,
  diedAt: Timestamp,
})
export type DeadJob = z.output<typeof DeadJob>

/** Every queue with its depth and worker settings, by name. */
export async function queuesOf({ db, queue }: Pick<Call, 'db' | 'queue'>) {
  const depths = await listQueueDepths(db)
  return depths.map((depth) => ({ ...depth, settings: queue.settings(depth.name) ?? null }))
}

type JobCall = Call<{ id: string }, Actor>

/** Retries a failed job. Throws 404 when there is none, or it was retried or discarded before. */
export async function replay({ db, queue, input }: JobCall): Promise<void> {
  const name = await queue.replay(db, input.id)
  if (!name) throw notFound('job')
  recordChange(db, { object: 'job', id: input.id, before: { state: 'dead' }, after: { state: 'waiting', queue: name } })
}

/** Discards a failed job. Throws 404 when there is none, and 409 before its `onRetriesExhausted` was called. */
export async function discard({ db, queue, input }: JobCall): Promise<void> {
  const letter = await takeDeadLetter(db, input.id)
  if (!letter) throw notFound('job')
  if (letter.unsettled && queue.settles(letter.queue))
    throw conflict('job_settling', 'This job is still being settled. Try again in a few seconds.')
  recordChange(db, { object: 'job', id: input.id, before: { state: 'dead', queue: letter.queue } })
}
