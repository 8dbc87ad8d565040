import type { ProofMethods, RecoveryEmail, RecoveryEmailLink } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { ConfirmByLink } from './mailed-link.tsx'
import { ProofField } from '../sign-in/second-factor/proof-field.tsx'

interface RecoverySectionProps {
  recovery: RecoveryEmail
  ways: ProofMethods
}

const hints = {
  missing: 'Backup address for password resets',
  pending: 'Not confirmed yet. Open the link that we sent there, or save again to get a new one.',
  verified: 'Confirmed. Leave empty to remove it.',
}

export const RecoverySection = ({ recovery, ways }: RecoverySectionProps) => (
  <section class="section" id="recovery-section" aria-labelledby="recovery">
    <h2 id="recovery">Recovery email</h2>
    <Form class="stack" hx-put="/api/auth/me/recovery-email" hx-target="#recovery-section" hx-swap="outerMorph">
      <RecoveryField recovery={recovery} />
      <ProofField id="recovery" ways={ways} />
      <div class="actions">
        <Button label="Save recovery email" type="submit" />
      </div>
    </Form>
  </section>
)

export const RecoveryField = ({ recovery: { email, status } }: { recovery: RecoveryEmail }) => (
  <TextField
    label="Recovery email"
    name="email"
    id="recovery-email"
    type="email"
    value={email ?? ''}
    hint={hints[status]}
    autocomplete="email"
    maxlength={254}
    required={status === 'missing'}
  />
)

interface ConfirmRecoveryProps {
  token: string
  /** Null when the link was used, was replaced or has expired. */
  link: RecoveryEmailLink | null
}

export const ConfirmRecovery = ({ token, link }: ConfirmRecoveryProps) => (
  <ConfirmByLink
    title="Confirm your recovery email"
    promise={link && `We’ll send password resets to ${link.email}, too.`}
    path="/api/auth/recovery-email/confirm"
    token={token}
  />
)

export const RecoveryConfirmed = () => (
  <DoorCard
    title="Your recovery email is confirmed"
    icon="check"
    lead={<span role="status">Password resets will be sent there, too.</span>}
  >
    <ButtonLink label="Continue" variant="primary" size="lg" block href="/settings/security" />
  </DoorCard>
)
