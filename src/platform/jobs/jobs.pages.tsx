import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { Jobs, type JobsProps } from '#views/platform/jobs.tsx'
import type { ReceivedWebhookOperations } from '../received-webhooks/received-webhooks.operations.tsx'
import { listDeadJobs, listQueues } from './jobs.operations.tsx'

const pageSize = 50

export const jobsPageOf = ({ listReceivedWebhooks }: ReceivedWebhookOperations) =>
  page({
    path: '/admin/jobs',
    permission: 'super-admin',
    frame: 'admin',
    title: 'Jobs',
    query: z.object({ cursor: Cursor }),
    load: async ({ ask, input, request: { url } }): Promise<JobsProps> => {
      const [queues, dead, received] = await Promise.all([
        ask(listQueues, {}),
        ask(listDeadJobs, { ...input, limit: pageSize }),
        ask(listReceivedWebhooks, { limit: 1 }),
      ])
      return { queues, dead, received, address: url.pathname + url.search }
    },
    view: (props) => <Jobs {...props} />,
  })
