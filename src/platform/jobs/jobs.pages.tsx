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
    header: 'own',
    screen: 'admin',
    icon: 'layers',
    title: 'Jobs',
    query: z.object({ cursor: Cursor }),
    load: async ({ ask, input }): Promise<JobsProps> => {
      const query = { ...input, limit: pageSize }
      const [queues, dead, received] = await Promise.all([
        ask(listQueues, {}),
        ask(listDeadJobs, query),
        ask(listReceivedWebhooks, { limit: 1 }),
      ])
      return { queues, dead, query, received }
    },
    view: (props) => <Jobs {...props} />,
  })
