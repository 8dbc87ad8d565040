import type { Me, OpenInvitation } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { ReadOnlyField, TextField, Form } from '#views/ui/form.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Choices, DoorCard, Promises } from '../../sign-in/door-card.tsx'
import { withNext } from '../../sign-in/next.tsx'
import { PasswordField } from '../../sign-in/password-field.tsx'
import { promisesOf, withArticle } from '../roles.ts'

export interface InvitationLandingProps {
  token: string
  /** Null when the link was used, canceled or has expired. */
  invitation: OpenInvitation | null
  me: Reader | null
}

type Reader = Pick<Me['user'], 'name' | 'email'>

export const InvitationLanding = ({ token, invitation, me }: InvitationLandingProps) => {
  if (!invitation) return <InvalidLink />
  const here = `/invitations/${token}`
  return (
    <>
      <DoorCard
        title={`Join ${invitation.organization}`}
        mark={<Meeting invitation={invitation} />}
        lead={<InvitationSummary invitation={invitation} />}
      >
        <Promises label={`What the ${invitation.role} role includes`} items={promisesOf(invitation.role)} />
        <Choices>
          <Next token={token} invitation={invitation} me={me} here={here} />
          {me && !isFor(me, invitation) ? null : <Decline token={token} />}
        </Choices>
      </DoorCard>
      {isFor(me, invitation) ? <NotYou here={here} /> : null}
    </>
  )
}

const isFor = (me: Reader | null, { email }: OpenInvitation): me is Reader => me?.email.toLowerCase() === email

const Meeting = ({ invitation: { inviter, organization } }: { invitation: OpenInvitation }) => (
  <div class="meet">
    {inviter === null ? null : (
      <>
        <Avatar name={inviter} size="xl" />
        <Icon name="arrow-left-right" />
      </>
    )}
    <Avatar name={organization} size="xl" shape="square" />
  </div>
)

export const InvitationSummary = ({ invitation: { inviter, role } }: { invitation: OpenInvitation }) => (
  <span>
    <b safe>{inviter ?? 'A former member'}</b> invited you as <span safe>{withArticle(role)}</span>.
  </span>
)

const Decline = ({ token }: { token: string }) => (
  <Form hx-post="/api/invitations/decline">
    <input type="hidden" name="token" value={token} />
    <Button label="Decline" variant="ghost" size="lg" block type="submit" />
  </Form>
)

const NotYou = ({ here }: { here: string }) => (
  <footer>
    <Form class="row" hx-post="/api/auth/logout">
      <input type="hidden" name="next" value={here} />
      <span>Not you?</span>
      <button type="submit" class="link">
        Use another account
      </button>
    </Form>
  </footer>
)

const Next = ({
  token,
  invitation,
  me,
  here,
}: {
  token: string
  invitation: OpenInvitation
  me: Reader | null
  here: string
}) => {
  if (isFor(me, invitation)) return <Accept token={token} invitation={invitation} me={me} />
  if (me) return <OtherAccount me={me} invitation={invitation} here={here} />
  if (invitation.hasAccount) return <SignInToAccept invitation={invitation} here={here} />
  return <SignUp token={token} invitation={invitation} />
}

const Accept = ({ token, invitation, me }: { token: string; invitation: OpenInvitation; me: Reader }) => (
  <>
    <div class="row">
      <Avatar name={me.name} seed={me.email} size="xl" />
      <span class="grow">
        <span safe>{me.name}</span>
        <small class="wrap-anywhere" safe>
          {me.email}
        </small>
      </span>
    </div>
    <Form class="stack" hx-post="/api/invitations/accept">
      <input type="hidden" name="token" value={token} />
      <Button label={`Join ${invitation.organization}`} variant="primary" size="lg" block type="submit" />
    </Form>
  </>
)

const SignInToAccept = ({ invitation: { email }, here }: { invitation: OpenInvitation; here: string }) => (
  <>
    <p class="wrap-anywhere">
      You already have an account with <b safe>{email}</b>.
    </p>
    <ButtonLink label="Sign in to accept" variant="primary" size="lg" block href={withNext('/login', here)} />
  </>
)

const OtherAccount = ({ me, invitation, here }: { me: Reader; invitation: OpenInvitation; here: string }) => (
  <Form class="stack" hx-post="/api/auth/logout">
    <input type="hidden" name="next" value={here} />
    <p class="wrap-anywhere">
      You’re signed in as <b safe>{me.email}</b>, but this invitation is for <b safe>{invitation.email}</b>. Sign out to
      accept it.
    </p>
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
  <DoorCard
    title="This invitation is no longer valid"
    icon="timer-off"
    lead={<>It has expired, was canceled or was already used. Ask for a new one.</>}
  >
    <ButtonLink label="Go to Atrium" size="lg" block href="/" />
  </DoorCard>
)
