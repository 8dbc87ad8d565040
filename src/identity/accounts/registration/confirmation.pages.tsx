import { z } from 'zod'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { ConfirmRegistration } from '#views/identity/accounts/confirm-registration.tsx'
import { noReferrer } from '../../http/no-referrer.ts'
import { findRegistration } from './pending.ts'

/** GET has no effect: mail scanners open links before their readers do. */
export const confirmationPage = page({
  path: '/register/confirm/:token',
  permission: 'public',
  frame: 'door',
  title: 'Finish signing up',
  query: z.object({ token: z.string().max(200) }),
  load: async (call) => {
    const { token } = call.input
    const registration = (await findRegistration(call, token)) ?? null
    return reply(registration ? 200 : 404, { token, registration }, { headers: noReferrer })
  },
  view: (shown) => <ConfirmRegistration {...shown} />,
})
