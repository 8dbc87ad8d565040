import type { ProofMethods, RecoveryEmail } from '#identity/types'
import type { StepFrame } from '#lib/onboarding-step.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, ReadOnlyField, TextField } from '#views/ui/form.tsx'
import { StepCard, StepFooter, StepLinks } from '#views/ui/step-card.tsx'
import { ProofField } from '../sign-in/second-factor/proof-field.tsx'
import { onboardingPlace } from './onboarding.tsx'

interface RecoveryStepProps {
  recovery: RecoveryEmail
  ways: ProofMethods
  isChanging: boolean
  frame: StepFrame
}

const title = 'Confirm your recovery email'
const lead =
  'It gets you back in if you lose access to your other mailbox. Only you use it, and no one at work sees it.'

export const RecoveryStep = ({ recovery, ways, isChanging, frame }: RecoveryStepProps) => {
  if (recovery.status === 'verified') return <Confirmed recovery={recovery} frame={frame} />
  if (recovery.email !== null && !isChanging) return <Pending email={recovery.email} frame={frame} />
  return (
    <StepCard title={title} lead={lead} frame={frame}>
      <Form hx-put="/api/auth/me/recovery-email" hx-target={`#${onboardingPlace}`} hx-swap="outerMorph">
        <div class="stack">
          <TextField
            label="Personal email"
            name="email"
            id="onboarding-email"
            type="email"
            value={recovery.email ?? ''}
            autocomplete="email"
            maxlength={254}
            required
            autofocus
          />
          <ProofField id={onboardingPlace} ways={ways} />
        </div>
        <StepFooter frame={frame} submit="Send link" />
      </Form>
    </StepCard>
  )
}

/** Continues by itself once the link is confirmed, in any browser. */
const Pending = ({ email, frame }: { email: string; frame: StepFrame }) => (
  <StepCard title={title} lead={lead} frame={frame}>
    <div
      class="stack wrap-anywhere"
      hx-get="/onboarding"
      hx-trigger="every 3s"
      hx-target={`#${onboardingPlace}`}
      hx-swap="outerMorph"
    >
      <Notice
        role="status"
        title="Open the link we sent"
        text={`It’s in the mailbox of ${email} and works for 24 hours. This page continues by itself.`}
      />
      <ButtonLink label="Change or send again" block href="/onboarding?change=true" />
    </div>
  </StepCard>
)

const Confirmed = ({ recovery: { email }, frame }: Pick<RecoveryStepProps, 'recovery' | 'frame'>) => (
  <StepCard title="Your recovery email is confirmed" lead="You can change it in your security settings." frame={frame}>
    <div class="form">
      <ReadOnlyField label="Personal email" id="onboarding-email" value={email ?? ''} />
      <StepLinks frame={frame} />
    </div>
  </StepCard>
)
