import { z } from 'zod'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { SecondFactor } from '#views/identity/second-factor.tsx'
import { localPath } from '../next.ts'
import { challengeOf, isOpen } from './challenge.ts'

export const secondFactorPage = page({
  path: '/login/second-factor',
  permission: 'public',
  query: z.object({ next: z.string().max(2000).optional().catch(undefined) }),
  frame: 'door',
  title: 'Second step',
  load: async (call) => {
    const { db, input, now } = call
    if (!(await isOpen(db, challengeOf(call), now()))) return redirect('/login')
    return { next: input.next && localPath(input.next) }
  },
  view: ({ next }) => <SecondFactor next={next} />,
})
