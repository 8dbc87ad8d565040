import type {
  OwnEmail,
  Passkey,
  RecoveryEmail,
  SecondFactors,
  SignInProvider,
  Trouble,
  ConnectedIdentity,
} from '#identity/types'
import { SettingsSection } from '#views/ui/settings.tsx'
import { ChangeEmailDialog, EmailStatus } from '../accounts/email-change.tsx'
import { RecoveryDialogs, RecoveryStatus } from '../accounts/recovery-email.tsx'
import { AddPasskeyDialog, PasskeyList } from './passkeys/passkeys.tsx'
import { PasswordDialog, PasswordStatus } from './password-section.tsx'
import { SecondFactorNeeded } from './second-factor/second-factor-needed.tsx'
import { Totp } from './second-factor/totp.tsx'
import { securityPlace } from './security-place.ts'
import { Providers, SsoFailure } from './social-logins.tsx'

export interface SecurityProps {
  email: OwnEmail
  factors: SecondFactors
  passkeys: Passkey[]
  recovery: RecoveryEmail
  identities: ConnectedIdentity[]
  /** The providers that can be connected. */
  providers: SignInProvider[]
  trouble?: Trouble
}

export const Security = ({ factors, trouble, ...signIn }: SecurityProps) => {
  const { proofMethods: ways, totp, requiredBy } = factors
  return (
    <div class="page settings" id={securityPlace}>
      <SsoFailure trouble={trouble} />
      <SecondFactorNeeded requiredBy={requiredBy} has={{ totp: totp.since !== null, passkeys: ways.passkey }} />
      <SigningIn {...signIn} ways={ways} />
      <Totp factors={factors} />
      <Addresses {...signIn} ways={ways} />
    </div>
  )
}

type SectionProps = Omit<SecurityProps, 'factors' | 'trouble'> & { ways: SecondFactors['proofMethods'] }

const SigningIn = ({ email, passkeys, ways, ...upstream }: SectionProps) => (
  <SettingsSection
    id="signing-in"
    title="Signing in"
    text="Passkeys are the quickest and safest way: nothing to type, nothing to steal."
  >
    <div class="card">
      <ul class="list" aria-label="Ways to sign in">
        <PasskeyList passkeys={passkeys} ways={ways} />
        <PasswordStatus hasPassword={ways.password} />
      </ul>
      <Providers {...upstream} ways={ways} />
    </div>
    <AddPasskeyDialog ways={ways} />
    {ways.password ? <PasswordDialog email={email.email} /> : null}
  </SettingsSection>
)

const Addresses = ({ email, recovery, ways }: SectionProps) => (
  <SettingsSection
    id="addresses"
    title="Email addresses"
    text="Where we reach you, and how you get back in if you lose your mailbox."
  >
    <div class="card">
      <ul class="list" aria-label="Email addresses">
        <EmailStatus email={email} />
        <RecoveryStatus recovery={recovery} />
      </ul>
    </div>
    <ChangeEmailDialog ways={ways} />
    <RecoveryDialogs ways={ways} />
  </SettingsSection>
)
