import { nullFor404 } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { ConfirmRecovery } from '#views/identity/accounts/recovery-email.tsx'
import { noReferrer } from '../../http/responses.ts'
import { RecoveryEmailConfirmation } from './contract.ts'
import { getRecoveryEmailLink } from './recovery-email.operations.tsx'

/** GET has no effect: mail scanners open links before their readers do. */
export const recoveryEmailPage = page({
  path: '/recovery-email/:token',
  limit: 'sign-in',
  permission: 'public',
  frame: 'door',
  title: 'Confirm your recovery email',
  query: RecoveryEmailConfirmation,
  load: async ({ ask, input }) => {
    const link = await ask(getRecoveryEmailLink, input).catch(nullFor404)
    return reply(link ? 200 : 404, { ...input, link }, { headers: noReferrer })
  },
  view: (props) => <ConfirmRecovery {...props} />,
})
