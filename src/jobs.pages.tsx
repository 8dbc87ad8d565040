import { z } from 'zod'
import { deadLetters } from '#lib/dead-letters.ts'
import { page } from '#lib/page.ts'
import { countUntaken } from '#lib/raised-actions.ts'
import { Jobs, type JobsProps } from '#views/shell/jobs.tsx'
import { queuesOf } from './jobs.ts'

const atOnce = 50

export const jobsPage = page({
  path: '/admin/jobs',
  permission: 'super-admin',
  frame: 'admin',
  title: 'Jobs',
  query: z.object({ cursor: z.string().max(500).optional() }),
  load: async ({ db, queue, input, request: { url } }): Promise<JobsProps> => {
    const [queues, dead, untakenActions] = await Promise.all([
      queuesOf({ db, queue }),
      deadLetters(db, { ...input, limit: atOnce }),
      countUntaken(db),
    ])
    const address = url.pathname + url.search
    return { queues, untakenActions, dead: dead.items, nextCursor: dead.nextCursor, address }
  },
  view: (shown) => <Jobs {...shown} />,
})
