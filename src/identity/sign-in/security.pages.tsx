import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Security, type SecurityProps } from '#views/identity/sign-in/security.tsx'
import { getEmail } from '../accounts/email-change/email-change.operations.tsx'
import { getRecoveryEmail } from '../accounts/recovery-email/recovery-email.operations.tsx'
import { listPasskeys } from './passkeys/passkeys.operations.tsx'
import { getSecondFactors } from './second-factor/second-factor.operations.tsx'
import { troubleQuery } from './social-login/contract.ts'
import {
  explainSignInFailure,
  listConnectableProviders,
  listIdentities,
} from './social-login/social-login.operations.tsx'

export const securityPage = page({
  path: '/settings/security',
  permission: 'signed-in',
  frame: 'settings',
  title: 'Security',
  screen: 'security',
  query: z.object(troubleQuery),
  load: async ({ ask, input: { upstream, ...failed } }): Promise<SecurityProps> => {
    const [email, factors, passkeys, recovery, identities, providers, trouble] = await Promise.all([
      ask(getEmail, {}),
      ask(getSecondFactors, {}),
      ask(listPasskeys, {}),
      ask(getRecoveryEmail, {}),
      ask(listIdentities, {}),
      ask(listConnectableProviders, {}),
      upstream && ask(explainSignInFailure, { upstream, ...failed }),
    ])
    return {
      email,
      factors,
      passkeys: passkeys.items,
      recovery,
      identities: identities.items,
      providers: providers.items,
      trouble,
    }
  },
  view: (props) => <Security {...props} />,
})
