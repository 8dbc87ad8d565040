import type { SuperAdminInvitation } from '#identity/types'
import { DoorCard } from '#views/identity/sign-in/door-card.tsx'
import { PasswordField } from '#views/identity/sign-in/password-field.tsx'
import { ButtonLink, Button } from '#views/ui/button.tsx'
import { ReadOnlyField, TextField, Form } from '#views/ui/form.tsx'

interface SuperAdminProps {
  token: string
  /** Null when it was used, was replaced or has expired. */
  invitation: SuperAdminInvitation | null
}

export const SuperAdmin = ({ token, invitation }: SuperAdminProps) =>
  invitation ? <SuperAdminForm token={token} invitation={invitation} /> : <ExpiredLink />

interface SuperAdminFormProps extends SuperAdminProps {
  invitation: SuperAdminInvitation
}

export const SuperAdminForm = ({ token, invitation }: SuperAdminFormProps) => (
  <DoorCard
    title="Become a super admin"
    lead={
      <>
        <b safe>{invitation.email}</b> will manage all organizations of this platform.
      </>
    }
  >
    <Form class="stack" hx-post="/api/super-admins">
      <input type="hidden" name="token" value={token} />
      <ReadOnlyField
        label="Email"
        id="super-admin-email"
        type="email"
        value={invitation.email}
        autocomplete="username"
      />
      {invitation.hasAccount ? (
        <PasswordField autocomplete="current-password" hint="The password of your account" />
      ) : (
        <>
          <TextField label="Your name" name="name" autocomplete="name" maxlength={100} required autofocus />
          <PasswordField autocomplete="new-password" minlength={10} hint="At least 10 characters" />
        </>
      )}
      <Button label="Become a super admin" variant="primary" size="lg" block type="submit" />
    </Form>
  </DoorCard>
)

const ExpiredLink = () => (
  <DoorCard
    title="This link is no longer valid"
    icon="timer-off"
    lead={
      <>
        It has expired, was already used, or was replaced by a newer link. Ask the operator of this server to run
        admin:create again.
      </>
    }
  >
    <ButtonLink label="Sign in" size="lg" block href="/login" />
  </DoorCard>
)
