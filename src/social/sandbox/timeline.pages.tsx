import { z } from 'zod'
import { page } from '#lib/page.ts'
import { SandboxTimeline } from '#views/social/sandbox-timeline.tsx'
import { behaviorOf } from './behavior.ts'
import { Handle } from './contract.ts'
import { present } from './present.ts'
import { received } from './timeline.ts'

export const sandboxTimelinePage = page({
  path: '/dev/sandbox/:handle',
  permission: 'public',
  query: z.object({ handle: Handle }),
  frame: 'plain',
  title: ({ handle }) => `@${handle} · Sandbox`,
  load: async (call) => {
    present(call)
    const { handle } = call.input
    const [posts, behavior] = await Promise.all([received(call.db, handle), behaviorOf(call.db, handle)])
    return { handle, posts, behavior }
  },
  view: (timeline) => <SandboxTimeline {...timeline} />,
})
