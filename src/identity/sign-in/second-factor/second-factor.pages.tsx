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
  query: z.object({ next: nextPage, method: z.enum(['recovery']).optional().catch(undefined) }),
  frame: 'door',
  screen: 'door',
  title: 'Enter your code',
  load: async ({ ask, input }) => ({
    challenge: await ask(getSecondFactorChallenge, { next: input.next }),
    next: input.next && localPath(input.next),
    method: input.method,
  }),
  view: (props) => <SecondFactor {...props} />,
})
