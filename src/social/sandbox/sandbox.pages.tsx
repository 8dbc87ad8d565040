import { z } from 'zod'
import { page } from '#lib/page.ts'
import { SandboxTimeline } from '#views/social/sandbox-timeline.tsx'
import { behaviorOf } from './behavior.ts'
import { Handle } from './contract.ts'
import { received } from './timeline.ts'

export const sandboxPage = page({
  path: '/dev/sandbox/:handle',
  permission: 'public',
  query: z.object({ handle: Handle }),
  frame: 'plain',
  screen: 'sandbox',
  title: ({ handle }: { handle: string }) => `@${handle}`,
  load: async (call) => {
    const { handle } = call.input
    const [posts, behavior] = await Promise.all([received(call.db, handle), behaviorOf(call.db, handle)])
    return { handle, posts, behavior }
  },
  view: (shown) => <SandboxTimeline {...shown} />,
})
