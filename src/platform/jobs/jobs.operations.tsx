import { z } from 'zod'
import { listDeadLetters } from '#lib/queue/dead-letters.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { countUntaken } from '#lib/raised-actions.ts'
import { reply } from '#lib/reply.ts'
import { plainText } from '#lib/text.ts'
import { DeadJobs, Queues } from '#views/platform/jobs.tsx'
import { DeadJobList, QueueList, RetriedJobs } from './contract.ts'
import * as jobs from './jobs.ts'

export const listQueues = operation({
  route: 'GET /api/admin/queues',
  summary: 'List background queues and their depth',
  permission: 'super-admin',
  input: z.object({}),
  output: QueueList,
  run: async (call) => {
    const [items, untakenActions] = await Promise.all([jobs.listQueues(call), countUntaken(call.db)])
    return { items, nextCursor: null, untakenActions }
  },
  view: (list) => <Queues list={list} />,
})

export const listDeadJobs = operation({
  route: 'GET /api/admin/jobs',
  summary: 'List failed jobs',
  permission: 'super-admin',
  input: z.object({ queue: plainText(100).optional(), ...paging }),
  output: DeadJobList,
  run: ({ db, input }) => listDeadLetters(db, input),
  view: (list, { input }) => <DeadJobs dead={list} query={input} />,
})

const leavesList = { output: z.null(), view: () => <></> } as const
const back = { next: '/admin/jobs' }

/** Builds the operation that retries a failed job. `declared` returns the names of all servers' jobs. */
export const retryOperationOf = (declared: () => ReadonlySet<string>) =>
  operation({
    route: 'POST /api/admin/jobs/:id/retry',
    summary: 'Retry a failed job',
    permission: 'super-admin',
    input: z.object({ id: Id }),
    ...leavesList,
    problems: { queue_not_processed: 409 },
    run: async (call) => {
      await jobs.retryJob(call, declared())
      return reply(204, null, { ...back, toast: 'Job queued again' })
    },
  })

/** Builds the operation that retries a queue's failed jobs. */
export const retryQueueOperationOf = (declared: () => ReadonlySet<string>) =>
  operation({
    route: 'POST /api/admin/queues/:name/retry',
    summary: 'Retry the failed jobs of a queue',
    permission: 'super-admin',
    input: z.object({ name: plainText(100) }),
    output: RetriedJobs,
    problems: { queue_not_processed: 409 },
    run: async (call) => {
      const result = await jobs.retryQueue(call, declared())
      return reply(200, result, { ...back, toast: retriedText(result) })
    },
    view: async (_, { ask }) => {
      const query = { limit: 50 }
      return <DeadJobs dead={await ask(listDeadJobs, query)} query={query} />
    },
  })

function retriedText({ retried, remaining }: z.output<typeof RetriedJobs>): string {
  if (retried === 0) return 'No failed jobs'
  const words = retried === 1 ? '1 job queued again' : `${retried} jobs queued again`
  return remaining > 0 ? `${words}. ${remaining} failed jobs are left` : words
}

export const deleteDeadJob = operation({
  route: 'DELETE /api/admin/jobs/:id',
  summary: 'Discard a failed job',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  ...leavesList,
  problems: { job_settling: 409 },
  run: async (call) => {
    await jobs.discardJob(call)
    return reply(204, null, { ...back, toast: 'Job discarded' })
  },
})
