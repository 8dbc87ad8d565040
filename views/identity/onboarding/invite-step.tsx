import type { Invitation } from '#identity/types'
import type { StepFrame } from '#lib/onboarding-step.ts'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Form } from '#views/ui/form.tsx'
import { StepCard, StepFooter } from '#views/ui/step-card.tsx'
import { memberRoles, roleName } from '../organizations/roles.ts'

interface InviteStepProps {
  organizationId: string
  invitations: Invitation[]
  frame: StepFrame
}

/** Of which those after the first ones are hidden until they are asked for, where scripts run. */
const rows = 10
const firstRows = 3

export const InviteStep = ({ organizationId, invitations, frame }: InviteStepProps) => (
  <StepCard
    title="Invite your team"
    lead="They get a link that works for 7 days. Each person takes a seat once they join."
    frame={frame}
  >
    {invitations.length > 0 ? (
      <ul class="stack" aria-label="Invited" style="--gap: var(--space-1)">
        {invitations.map(({ email, role }) => (
          <li class="muted wrap-anywhere" safe>{`${email}, ${roleName(role)}`}</li>
        ))}
      </ul>
    ) : null}
    <Form hx-post={`/api/organizations/${organizationId}/invitations/batch`}>
      <more-rows class="stack">
        {Array.from({ length: rows }, (_, at) => (
          <Person at={at} />
        ))}
        <Button label="Add another" icon="plus" size="sm" data-add />
      </more-rows>
      <StepFooter frame={frame} submit="Send invitations" />
    </Form>
  </StepCard>
)

const Person = ({ at }: { at: number }) => {
  const name = `invitations[${at}]`
  const id = `invite-${at}`
  return (
    <div class="row invite" role="group" data-later={at >= firstRows} aria-label={`Person ${at + 1}`}>
      <div class="field grow">
        <input
          class="input"
          type="email"
          id={id}
          name={`${name}.email`}
          aria-label={`Email of person ${at + 1}`}
          aria-describedby={`${id}-error`}
          placeholder="name@example.com"
          maxlength={254}
          autocomplete="off"
          required={at === 0}
          autofocus={at === 0}
        />
        <p class="error" id={`${id}-error`}>
          <Icon name="circle-alert" />
          <span />
        </p>
      </div>
      <select class="input" name={`${name}.role`} aria-label={`Role of person ${at + 1}`}>
        {memberRoles.map((role) => (
          <option value={role} selected={role === 'editor'} safe>
            {roleName(role)}
          </option>
        ))}
      </select>
    </div>
  )
}
