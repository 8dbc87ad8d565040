import type { OpenInvitation } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { ReadOnlyField, TextField, Form } from '#views/ui/form.tsx'
import { DoorCard } from '../../sign-in/door-card.tsx'
import { withNext } from '../../sign-in/next.tsx'
import { PasswordField } from '../../sign-in/password-field.tsx'

export interface InvitationLandingProps {
  token: string
  /** Null when the link was used, canceled or has expired. */
  invitation: OpenInvitation | null
  me: string | null
}

export const InvitationLanding = ({ token, invitation, me }: InvitationLandingProps) => {
  if (!invitation) return <InvalidLink />
  const here = `/invitations/${token}`
  return (
    <DoorCard title={`Join ${invitation.organization}`}>
      <InvitationSummary invitation={invitation} />
      <Next token={token} invitation={invitation} me={me} here={here} />
    </DoorCard>
  )
}

export const InvitationSummary = ({ invitation }: { invitation: OpenInvitation }) => (
  <p class="muted" safe>
    {`${invitation.inviter ?? 'A former member'} invited ${invitation.email} as ${invitation.role}.`}
  </p>
)

const Next = ({
  token,
  invitation,
  me,
  here,
}: {
  token: string
  invitation: OpenInvitation
  me: string | null
  here: string
}) => {
  if (me?.toLowerCase() === invitation.email) return <Accept token={token} invitation={invitation} />
  if (me !== null) return <OtherAccount me={me} here={here} />
  if (invitation.hasAccount)
    return <ButtonLink label="Sign in to accept" variant="primary" size="lg" block href={withNext('/login', here)} />
  return <SignUp token={token} invitation={invitation} />
}

const Accept = ({ token, invitation }: { token: string; invitation: OpenInvitation }) => (
  <Form class="stack" hx-post="/api/invitations/accept">
    <input type="hidden" name="token" value={token} />
    <Button label={`Join ${invitation.organization}`} variant="primary" size="lg" block type="submit" />
  </Form>
)

const OtherAccount = ({ me, here }: { me: string; here: string }) => (
  <Form class="stack" hx-post="/api/auth/logout">
    <input type="hidden" name="next" value={here} />
    <p
      class="wrap-anywhere"
      safe
    >{`You’re signed in as ${me}. Sign out to accept the invitation with the invited address.`}</p>
    <Button label="Sign out" variant="primary" size="lg" block type="submit" />
  </Form>
)

const SignUp = ({ token, invitation }: { token: string; invitation: OpenInvitation }) => (
  <Form class="stack" hx-post="/api/invitations/register">
    <input type="hidden" name="token" value={token} />
    <ReadOnlyField label="Email" id="email" type="email" value={invitation.email} autocomplete="username" />
    <TextField label="Your name" name="name" autocomplete="name" maxlength={100} required autofocus />
    <PasswordField autocomplete="new-password" minlength={10} hint="At least 10 characters" />
    <Button label="Create account and join" variant="primary" size="lg" block type="submit" />
  </Form>
)

const InvalidLink = () => (
  <DoorCard title="This invitation is no longer valid">
    <p class="muted">This invitation has expired, was canceled or was already used. Ask for a new one.</p>
    <ButtonLink label="Go to Atrium" size="lg" block href="/" />
  </DoorCard>
)
