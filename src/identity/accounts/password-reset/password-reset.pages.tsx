import { z } from 'zod'
import { nullFor404 } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { ForgotPassword, PasswordReset } from '#views/identity/accounts/password-reset.tsx'
import { noReferrer } from '../../http/responses.ts'
import { PasswordResetToken } from './contract.ts'
import { getPasswordReset } from './password-reset.operations.tsx'

const door = { permission: 'public', frame: 'door' } as const

export const forgotPasswordPage = page({
  ...door,
  path: '/forgot-password',
  title: 'Forgot your password?',
  query: z.object({}),
  load: async () => null,
  view: () => <ForgotPassword />,
})

/** GET has no effect: mail scanners open links before their readers do. */
export const passwordResetPage = page({
  ...door,
  path: '/password-reset/:token',
  limit: 'sign-in',
  title: 'Choose a new password',
  query: PasswordResetToken,
  load: async ({ ask, input }) => {
    const reset = await ask(getPasswordReset, input).catch(nullFor404)
    return reply(reset ? 200 : 404, { ...input, reset }, { headers: noReferrer })
  },
  view: (props) => <PasswordReset {...props} />,
})
