import { z } from 'zod'
import { listDeadLetters } from '#lib/dead-letters.ts'
import { countReceived } from '#lib/incoming-webhooks/received.ts'
import { page } from '#lib/page.ts'
import { countUntaken } from '#lib/raised-actions.ts'
import { Jobs, type JobsProps } from '#views/platform/jobs.tsx'
import { queuesOf } from './jobs.ts'

const atOnce = 50

/** Builds the page of jobs. `webhooks` are the names of all webhooks that receive events. */
export const jobsPageOf = (webhooks: string[]) =>
  page({
    path: '/admin/jobs',
    permission: 'super-admin',
    frame: 'admin',
    title: 'Jobs',
    query: z.object({ cursor: z.string().max(500).optional() }),
    load: async ({ db, queue, input, request: { url } }): Promise<JobsProps> => {
      const [queues, dead, untakenActions, counts] = await Promise.all([
        queuesOf({ db, queue }),
        listDeadLetters(db, { ...input, limit: atOnce }),
        countUntaken(db),
        countReceived(db),
      ])
      const received = counts ?? (webhooks.length > 0 ? { waiting: 0, failed: 0 } : null)
      const address = url.pathname + url.search
      return { queues, untakenActions, received, dead: dead.items, nextCursor: dead.nextCursor, address }
    },
    view: (shown) => <Jobs {...shown} />,
  })
