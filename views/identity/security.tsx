import { Button } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { EmailSection, type EmailSectionProps } from './email-change.tsx'
import { PasswordField } from './password-field.tsx'
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
    <section class="section" aria-labelledby="security">
      <h2 id="security">Change your password</h2>
      <Form class="stack" hx-post="/api/auth/password">
        <input type="text" name="email" value={email} autocomplete="username" hidden readonly />
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          autocomplete="current-password"
          maxlength={256}
          required
        />
        <PasswordField
          autocomplete="new-password"
          minlength={10}
          label="New password"
          hint="At least 10 characters. Your other sessions end"
        />
        <div class="actions">
          <Button label="Change password" variant="primary" type="submit" />
        </div>
      </Form>
    </section>
    <EmailSection email={email} pending={pendingEmail} hasPassword={factors.hasPassword} />
    <RecoverySection recovery={recovery} hasPassword={factors.hasPassword} />
    <UpstreamSection {...upstream} />
  </div>
)
