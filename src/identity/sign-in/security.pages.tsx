import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Security, type SecurityProps } from '#views/identity/sign-in/security.tsx'
import { loadSecurity } from './draw-security.tsx'
import { troubleQuery } from './social-login/contract.ts'
import { explainSignInFailure } from './social-login/social-login.operations.tsx'

export const securityPage = page({
  path: '/settings/security',
  permission: 'signed-in',
  frame: 'settings',
  icon: 'shield-check',
  quick: true,
  title: 'Security',
  summary: 'Password, passkeys, authenticator app, and email addresses with the one for recovery.',
  keywords: 'password passkeys two-factor 2fa mfa authenticator totp recovery email',
  query: z.object(troubleQuery),
  load: async (call): Promise<SecurityProps> => {
    const { failure, ...failed } = call.input
    const [settings, trouble] = await Promise.all([
      loadSecurity(call),
      failure && call.ask(explainSignInFailure, { failure, ...failed }),
    ])
    return { ...settings, trouble }
  },
  view: (props) => <Security {...props} />,
})
