import { z } from 'zod'
import { listDeadLetters } from '#lib/dead-letters.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { countUntaken } from '#lib/raised-actions.ts'
import { reply } from '#lib/reply.ts'
import { plainText } from '#lib/text.ts'
import { DeadJob, discard, QueueDepth, queuesOf, replay } from './jobs.ts'

export const listQueues = operation({
  route: 'GET /api/admin/queues',
  summary: 'List background queues and their depth',
  permission: 'super-admin',
  input: z.object({}),
  output: listOf(QueueDepth).extend({
    untakenActions: z.int().describe('Raised actions that the dashboard hasn’t received yet.'),
  }),
  run: async (call) => ({
    items: await queuesOf(call),
    nextCursor: null,
    untakenActions: await countUntaken(call.db),
  }),
})

export const listDeadJobs = operation({
  route: 'GET /api/admin/jobs',
  summary: 'List failed jobs',
  permission: 'super-admin',
  input: z.object({ queue: plainText(100).optional(), ...paging }),
  output: listOf(DeadJob),
  run: ({ db, input }) => listDeadLetters(db, input),
})

const back = { next: '/admin/jobs' }

export const retryDeadJob = operation({
  route: 'POST /api/admin/jobs/:id/retry',
  summary: 'Retry a failed job',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: z.null(),
  run: async (call) => {
    await replay(call)
    return reply(204, null, { ...back, toast: 'Job queued again' })
  },
})

export const discardDeadJob = operation({
  route: 'DELETE /api/admin/jobs/:id',
  summary: 'Discard a failed job',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: z.null(),
  problems: { job_settling: 409 },
  run: async (call) => {
    await discard(call)
    return reply(204, null, { ...back, toast: 'Job discarded' })
  },
})
