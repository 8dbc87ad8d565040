import { EmailSection, type EmailSectionProps } from './email-change.tsx'
import { PasswordSection } from './password-section.tsx'
import { RecoverySection, type RecoverySectionProps } from './recovery-email.tsx'
import { SecondFactors, type SecondFactorsProps } from './second-factors.tsx'
import { UpstreamSection, type UpstreamProps } from './upstream.tsx'

interface SecurityProps extends SecondFactorsProps {
  email: string
  upstream: UpstreamProps
  pendingEmail: EmailSectionProps['pending']
  recovery: RecoverySectionProps['recovery']
}

/** One's password, and the other ways to sign in. */
export const Security = ({ email, upstream, pendingEmail, recovery, ...factors }: SecurityProps) => (
  <div class="page stack" style="--measure: 36rem; --gap: var(--space-8)">
    <SecondFactors {...factors} />
    <PasswordSection email={email} hasPassword={factors.hasPassword} />
    <EmailSection email={email} pending={pendingEmail} hasPassword={factors.hasPassword} />
    <RecoverySection recovery={recovery} hasPassword={factors.hasPassword} />
    <UpstreamSection {...upstream} />
  </div>
)
