import type { PasswordResetLink, SignInMethod } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'
import { Choices, DoorCard } from '../sign-in/door-card.tsx'
import { PasswordField } from '../sign-in/password-field.tsx'

export const ForgotPassword = () => (
  <DoorCard title="Forgot your password?" lead={<>We’ll send a reset link to your email address and recovery email.</>}>
    <Form class="stack" hx-post="/api/auth/password-reset" hx-target="closest .card" hx-swap="outerHTML">
      <TextField label="Email" name="email" type="email" autocomplete="username" required autofocus />
      <Choices>
        <Button label="Email me a link" variant="primary" size="lg" block type="submit" />
        <ButtonLink label="Back to sign in" variant="ghost" size="lg" block href="/login" />
      </Choices>
    </Form>
  </DoorCard>
)

interface PasswordResetProps {
  token: string
  /** Null when the link was used or has expired. */
  reset: PasswordResetLink | null
}

export const PasswordReset = ({ token, reset }: PasswordResetProps) =>
  reset ? <ChooseNewPassword token={token} reset={reset} /> : <ExpiredLink />

interface ChooseNewPasswordProps extends PasswordResetProps {
  reset: PasswordResetLink
}

export const ChooseNewPassword = ({ token, reset: { email, methods } }: ChooseNewPasswordProps) => (
  <DoorCard
    title="Choose a new password"
    lead={
      <>
        You’ll sign in as <b safe>{email}</b> with the new password, and be signed out everywhere else.
      </>
    }
  >
    <Form class="stack" hx-post="/api/auth/password-reset/confirm">
      <input type="hidden" name="token" value={token} />
      <input type="text" value={email} autocomplete="username" hidden readonly />
      <PasswordField autocomplete="new-password" minlength={10} label="New password" hint="At least 10 characters" />
      <OtherMethods methods={methods.filter(({ isLocked }) => !isLocked)} />
      <Button label="Change password" variant="primary" size="lg" block type="submit" />
    </Form>
  </DoorCard>
)

const ExpiredLink = () => (
  <DoorCard
    title="This link is no longer valid"
    icon="timer-off"
    lead={<>It has expired or was already used. Your account is fine.</>}
  >
    <Choices>
      <ButtonLink label="Email me a new link" variant="primary" size="lg" block href="/forgot-password" />
      <ButtonLink label="Sign in" size="lg" block href="/login" />
    </Choices>
  </DoorCard>
)

/** Those that a thief could have added, to be removed with the old password. */
const OtherMethods = ({ methods }: { methods: SignInMethod[] }) =>
  methods.length === 0 ? (
    <></>
  ) : (
    <fieldset class="stack">
      <legend>Remove other ways to sign in</legend>
      <p class="muted small">Select the ones you don’t recognize. Recently added ones are already selected.</p>
      <input type="hidden" name="remove[]" value="" />
      {methods.map(({ id, kind, name, addedAt, isNew }) => (
        <label class="check">
          <input type="checkbox" name="remove[]" value={id} checked={isNew} />
          <span>
            <span class="wrap-anywhere" safe>
              {kind === 'passkey' ? `Passkey “${name}”` : name}
            </span>
            <small class="muted">
              Added <Time at={addedAt} form="longDay" />
            </small>
          </span>
        </label>
      ))}
    </fieldset>
  )
