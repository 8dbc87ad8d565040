import { z } from 'zod'
import { page } from '#lib/page.ts'
import { SecondFactor } from '#views/identity/sign-in/second-factor/second-factor.tsx'
import { nextPage } from '../../contract/fields.ts'
import { localPath } from '../../http/local-path.ts'
import { challengeOf, isChallengeOpen } from './challenge.ts'

export const secondFactorPage = page({
  path: '/login/second-factor',
  permission: 'public',
  query: z.object({ next: nextPage }),
  frame: 'door',
  title: 'Two-factor authentication',
  load: async (call) => {
    const { db, input, now } = call
    const open = await isChallengeOpen(db, challengeOf(call), now())
    return { open, next: input.next && localPath(input.next) }
  },
  view: (shown) => <SecondFactor {...shown} />,
})
