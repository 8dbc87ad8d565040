import { z } from 'zod'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { ConfirmRecovery } from '#views/identity/accounts/recovery-email.tsx'
import { noReferrer } from '../../http/no-referrer.ts'
import { findRecoveryLink } from './recovery-email.ts'

/** GET has no effect: mail scanners open links before their readers do. */
export const recoveryEmailPage = page({
  path: '/recovery-email/:token',
  permission: 'public',
  frame: 'door',
  title: 'Confirm your recovery address',
  query: z.object({ token: z.string().max(200) }),
  load: async ({ db, input: { token }, now }) => {
    const email = (await findRecoveryLink(db, token, now())) ?? null
    return reply(email ? 200 : 404, { token, email }, { headers: noReferrer })
  },
  view: (shown) => <ConfirmRecovery {...shown} />,
})
