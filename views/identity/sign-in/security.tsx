import { EmailSection, type EmailSectionProps } from '../accounts/email-change.tsx'
import { PasswordSection } from './password-section.tsx'
import { RecoverySection, type RecoverySectionProps } from '../accounts/recovery-email.tsx'
import { SecondFactors, type SecondFactorsProps } from './second-factor/second-factors.tsx'
import { UpstreamSection, type UpstreamProps } from './social-logins.tsx'

interface SecurityProps extends SecondFactorsProps {
  email: string
  upstream: Omit<UpstreamProps, 'ways'>
  pendingEmail: EmailSectionProps['pending']
  recovery: RecoverySectionProps['recovery']
}

/** The password and the other ways to sign in. */
export const Security = ({ email, upstream, pendingEmail, recovery, ...factors }: SecurityProps) => (
  <div class="page stack" style="--measure: 36rem; --gap: var(--space-8)">
    <SecondFactors {...factors} />
    <PasswordSection email={email} hasPassword={factors.ways.password} />
    <EmailSection email={email} pending={pendingEmail} ways={factors.ways} />
    <RecoverySection recovery={recovery} ways={factors.ways} />
    <UpstreamSection {...upstream} ways={factors.ways} />
  </div>
)
