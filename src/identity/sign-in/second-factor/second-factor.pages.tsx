import { z } from 'zod'
import { page } from '#lib/page.ts'
import { SecondFactor } from '#views/identity/sign-in/second-factor/second-factor.tsx'
import { nextPage } from '../../contract/fields.ts'
import { localPath } from '../../http/responses.ts'
import { getSecondFactorChallenge } from './second-factor.operations.tsx'

export const secondFactorPage = page({
  path: '/login/second-factor',
  limit: 'sign-in',
  permission: 'public',
  query: z.object({ next: nextPage }),
  frame: 'door',
  title: 'Two-factor authentication',
  load: async ({ ask, input }) => ({
    challenge: await ask(getSecondFactorChallenge, input),
    next: input.next && localPath(input.next),
  }),
  view: (props) => <SecondFactor {...props} />,
})
