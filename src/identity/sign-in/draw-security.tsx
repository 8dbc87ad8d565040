import type { Call } from '#lib/call.ts'
import { Security, type SecurityProps } from '#views/identity/sign-in/security.tsx'
import { getEmail } from '../accounts/email-change/email-change.operations.tsx'
import { getRecoveryEmail } from '../accounts/recovery-email/recovery-email.operations.tsx'
import { listPasskeys } from './passkeys/passkeys.operations.tsx'
import { getSecondFactors } from './second-factor/second-factor.operations.tsx'
import { listConnectableProviders, listIdentities } from './social-login/social-login.operations.tsx'

export async function loadSecurity({ ask }: Pick<Call, 'ask'>): Promise<Omit<SecurityProps, 'trouble'>> {
  const [email, factors, passkeys, recovery, identities, providers] = await Promise.all([
    ask(getEmail, {}),
    ask(getSecondFactors, {}),
    ask(listPasskeys, {}),
    ask(getRecoveryEmail, {}),
    ask(listIdentities, {}),
    ask(listConnectableProviders, {}),
  ])
  return {
    email,
    factors,
    passkeys: passkeys.items,
    recovery,
    identities: identities.items,
    providers: providers.items,
  }
}

/** All security settings, after a change of the factors with which the person reauthenticates in them. */
export const drawSecurity = async (call: Pick<Call, 'ask'>) => <Security {...await loadSecurity(call)} />
