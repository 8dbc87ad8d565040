import type { Onboarding } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { Milestones } from './milestones.tsx'

export const onboardingPlace = 'onboarding'

interface OnboardingProps {
  steps: Onboarding['steps']
  organization: Onboarding['organization']
  current: string | null
  /** Of the current step. */
  content: (() => JSX.Element) | null
}

export const OnboardingPage = ({ steps, organization, current, content }: OnboardingProps) => (
  <div id={onboardingPlace} class="stack">
    <Milestones steps={steps} current={current} />
    {content ? <>{content()}</> : <Ready organization={organization} />}
  </div>
)

const Ready = ({ organization }: Pick<OnboardingProps, 'organization'>) => (
  <DoorCard title="You’re ready" icon="check" lead="You can change all of it later, in the settings and under Apps.">
    <Form
      hx-post={
        organization
          ? `/api/organizations/${organization.id}/services/${organization.serviceId}/onboarding/complete`
          : undefined
      }
    >
      <Button label="Open Atrium" variant="primary" size="lg" block type="submit" autofocus />
    </Form>
  </DoorCard>
)
