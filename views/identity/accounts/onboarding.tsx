import type { Onboarding, ProofMethods, RecoveryEmail } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { ProofField } from '../sign-in/second-factor/proof-field.tsx'

export const onboardingPlace = 'onboarding'

interface OnboardingProps {
  steps: Onboarding['steps']
  next: NonNullable<Onboarding['next']>
  /** Both null after the first step. */
  recovery: RecoveryEmail | null
  ways: ProofMethods | null
  isChanging?: boolean
}

export const OnboardingPage = ({ steps, next, recovery, ways, isChanging }: OnboardingProps) => {
  if (!recovery || !ways) return <OrganizationStep steps={steps} next={next} />
  if (recovery.email !== null && !isChanging) return <RecoveryPending email={recovery.email} steps={steps} />
  return (
    <div id={onboardingPlace} class="stack">
      <Milestones steps={steps} next={next} />
      <DoorCard
        title="Confirm your recovery email"
        icon="mail"
        lead="It gets you back in if you lose access to your other mailbox. Only you use it, and no one at work sees it."
      >
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
            <Button label="Send link" type="submit" variant="primary" size="lg" block />
          </div>
        </Form>
      </DoorCard>
    </div>
  )
}

/** Continues by itself once the link is confirmed, in any browser. */
export const RecoveryPending = ({ email, steps }: { email: string; steps: Onboarding['steps'] }) => (
  <div
    id={onboardingPlace}
    class="stack"
    hx-get="/onboarding"
    hx-trigger="every 3s"
    hx-target="this"
    hx-swap="outerMorph"
  >
    <Milestones steps={steps} next="recovery" />
    <DoorCard title="Confirm your recovery email" icon="mail">
      <div class="stack wrap-anywhere">
        <Notice
          role="status"
          title="Open the link we sent"
          text={`It’s in the mailbox of ${email} and works for 24 hours. This page continues by itself.`}
        />
        <ButtonLink label="Change or send again" size="lg" block href="/onboarding?change=true" />
      </div>
    </DoorCard>
  </div>
)

const OrganizationStep = ({ steps, next }: Pick<OnboardingProps, 'steps' | 'next'>) => (
  <div id={onboardingPlace} class="stack">
    <Milestones steps={steps} next={next} />
    <DoorCard title="Name your organization" icon="layers" lead="Your team works here. You can change its name later.">
      <Form hx-post="/api/organizations">
        <div class="stack">
          <TextField
            label="Name"
            name="name"
            id="onboarding-name"
            autocomplete="organization"
            maxlength={100}
            required
            autofocus
          />
          <Button label="Continue" type="submit" variant="primary" size="lg" block />
          <ButtonLink label="Skip" variant="ghost" size="lg" block href="/settings/workspaces" />
        </div>
      </Form>
    </DoorCard>
  </div>
)

const stepNames = { recovery: 'Recovery email', organization: 'Organization' }

export const Milestones = ({ steps, next }: Onboarding) => (
  <ol class="milestones" aria-label="Steps">
    {steps.map(({ step, done }, at) => (
      <li data-state={done ? 'done' : undefined} aria-current={step === next ? 'step' : undefined}>
        <span class="mark" aria-hidden="true">
          {done ? <Icon name="check" /> : at + 1}
        </span>
        <span>
          {done ? <span class="visually-hidden">Done: </span> : null}
          <span safe>{stepNames[step]}</span>
        </span>
      </li>
    ))}
  </ol>
)
