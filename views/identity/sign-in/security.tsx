import type {
  OwnEmail,
  Passkey,
  RecoveryEmail,
  SecondFactors,
  SignInProvider,
  Trouble,
  ConnectedIdentity,
} from '#identity/types'
import { EmailSection } from '../accounts/email-change.tsx'
import { RecoverySection } from '../accounts/recovery-email.tsx'
import { Passkeys } from './passkeys/passkeys.tsx'
import { PasswordSection } from './password-section.tsx'
import { SecondFactorNeeded } from './second-factor/second-factor-needed.tsx'
import { Totp } from './second-factor/totp.tsx'
import { securityPlace } from './security-place.ts'
import { ProviderSection } from './social-logins.tsx'

export interface SecurityProps {
  email: OwnEmail
  factors: SecondFactors
  passkeys: Passkey[]
  recovery: RecoveryEmail
  identities: ConnectedIdentity[]
  providers: SignInProvider[]
  trouble?: Trouble
}

export const Security = ({ email, factors, passkeys, recovery, ...providers }: SecurityProps) => {
  const { proofMethods: ways, totp, requiredBy } = factors
  return (
    <div class="page stack" id={securityPlace} style="--measure: 36rem; --gap: var(--space-8)">
      <SecondFactorNeeded requiredBy={requiredBy} has={{ totp: totp.since !== null, passkeys: ways.passkey }} />
      <Passkeys passkeys={passkeys} ways={ways} />
      <Totp factors={factors} />
      <PasswordSection email={email.email} hasPassword={ways.password} />
      <EmailSection email={email} ways={ways} />
      <RecoverySection recovery={recovery} ways={ways} />
      <ProviderSection {...providers} ways={ways} />
    </div>
  )
}
