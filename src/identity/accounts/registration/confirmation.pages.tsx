import { z } from 'zod'
import { nullFor404 } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { ConfirmRegistration } from '#views/identity/accounts/confirm-registration.tsx'
import { noReferrer } from '../../http/responses.ts'
import { getRegistration } from './registration.operations.tsx'

/** GET has no effect: mail scanners open links before their readers do. */
export const confirmationPage = page({
  path: '/register/confirm/:token',
  limit: 'sign-in',
  permission: 'public',
  frame: 'door',
  title: 'Finish signing up',
  query: z.object({ token: z.string().max(200) }),
  load: async ({ ask, input }) => {
    const registration = await ask(getRegistration, input).catch(nullFor404)
    return reply(registration ? 200 : 404, { ...input, registration }, { headers: noReferrer })
  },
  view: (props) => <ConfirmRegistration {...props} />,
})
