import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

export const QueueDepth = z.object({
  name: z.string(),
  waiting: z.int(),
  retrying: z.int().describe('Waiting jobs that failed before; included in `waiting`.'),
  delayed: z.int().describe('Waiting jobs that are due later; included in `waiting`.'),
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
    .describe('This server’s workers for the queue; null when it has none.'),
})
export type QueueDepth = z.output<typeof QueueDepth>

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

export const QueueList = listOf(QueueDepth).extend({
  untakenActions: z.int().describe('Raised actions that the dashboard hasn’t received yet.'),
})
export type QueueList = z.output<typeof QueueList>

export const DeadJobList = listOf(DeadJob)
export type DeadJobList = z.output<typeof DeadJobList>

export const RetriedJobs = z.object({
  retried: z.int().describe('Jobs that are queued again: 500 at most.'),
  remaining: z.int().describe('Failed jobs that are left in the queue.'),
})
