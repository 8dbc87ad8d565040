import type { RegistrationLink } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Choices, DoorCard } from '../sign-in/door-card.tsx'
import { PasswordField } from '../sign-in/password-field.tsx'

interface ConfirmRegistrationProps {
  token: string
  /** Null when the link was used, was replaced or has expired. */
  registration: RegistrationLink | null
}

export const ConfirmRegistration = ({ token, registration }: ConfirmRegistrationProps) =>
  registration ? <ConfirmRegistrationForm token={token} registration={registration} /> : <ExpiredLink />

interface ConfirmRegistrationFormProps extends ConfirmRegistrationProps {
  registration: RegistrationLink
}

export const ConfirmRegistrationForm = ({ token, registration }: ConfirmRegistrationFormProps) => (
  <DoorCard
    title="Finish signing up"
    lead={
      <>
        Your account: <b safe>{registration.email}</b>
      </>
    }
  >
    <Form class="stack" hx-post="/register/confirm">
      <input type="hidden" name="token" value={token} />
      {registration.needsPassword ? (
        <PasswordField autocomplete="current-password" hint="The password that you chose when you signed up" />
      ) : null}
      <Button label="Create account" variant="primary" size="lg" block type="submit" />
    </Form>
  </DoorCard>
)

const ExpiredLink = () => (
  <DoorCard
    title="This link is no longer valid"
    icon="timer-off"
    lead={<>It has expired, was already used, or was replaced by a newer link.</>}
  >
    <Choices>
      <ButtonLink label="Sign in" variant="primary" size="lg" block href="/login" />
      <ButtonLink label="Sign up again" size="lg" block href="/register" />
    </Choices>
  </DoorCard>
)
