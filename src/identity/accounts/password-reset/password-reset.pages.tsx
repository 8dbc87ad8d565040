import { z } from 'zod'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { ForgotPassword, PasswordReset } from '#views/identity/accounts/password-reset.tsx'
import { noReferrer } from '../../http/no-referrer.ts'
import { findReset } from './password-reset.ts'
import { listSignInWays } from './sign-in-ways.ts'

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
  title: 'Choose a new password',
  query: z.object({ token: z.string().max(200) }),
  load: async ({ db, input: { token }, config, now }) => {
    const found = await findReset(db, token, now())
    const ways = found ? await listSignInWays(db, { ...found, id: found.userId }, { config, now: now() }) : []
    return reply(found ? 200 : 404, { token, email: found?.email ?? null, ways }, { headers: noReferrer })
  },
  view: (shown) => <PasswordReset {...shown} />,
})
