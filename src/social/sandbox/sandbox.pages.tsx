import { z } from 'zod'
import { page } from '#lib/page.ts'
import { SandboxPage, type SandboxPageProps } from '#views/social/sandbox/sandbox-timeline.tsx'
import { Handle } from './contract.ts'
import { getSandboxBehavior, getSandboxTimeline } from './sandbox.operations.tsx'

export const sandboxPage = page({
  path: '/dev/sandbox/:handle',
  permission: 'public',
  query: z.object({ handle: Handle }),
  frame: 'plain',
  screen: 'preview sandbox',
  title: ({ timeline }: SandboxPageProps) => `@${timeline.handle}`,
  load: async (call) => {
    const { handle } = call.input
    const [timeline, behavior] = await Promise.all([
      call.ask(getSandboxTimeline, { handle }),
      call.ask(getSandboxBehavior, { handle }),
    ])
    return { timeline, behavior }
  },
  view: (props) => <SandboxPage {...props} />,
})
