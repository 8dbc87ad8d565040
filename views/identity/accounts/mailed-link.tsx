import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { KeptMailNote } from './kept-mail-note.tsx'

interface LinkMailedProps {
  email: string
  minutes: number
  /** Without a mail server, mails stay in the server's own mailbox. */
  keepsMail: boolean
}

/** The same for every address. */
export const LinkMailed = ({ email, minutes, keepsMail }: LinkMailedProps) => (
  <DoorCard
    title="Check your email"
    icon="mail"
    lead={
      <span role="status">
        If <b safe>{email}</b> has an account, we’ve sent a link. It expires in {minutes} minutes and can be used once.
      </span>
    }
  >
    {keepsMail ? <KeptMailNote /> : null}
    <ButtonLink label="Back to sign in" size="lg" block href="/login" />
    <p class="muted small">Nothing after 5 minutes? Check your spam folder.</p>
  </DoorCard>
)

export const LinkMailedNotice = ({ email, minutes }: Omit<LinkMailedProps, 'keepsMail'>) => (
  <Notice
    role="status"
    title="Check your email"
    text={`We’ve sent a link to ${email}. It expires in ${minutes} minutes and can be used once.`}
  />
)

interface ConfirmByLinkProps {
  title: string
  /** Null when the link is no longer valid. */
  promise: string | null
  path: string
  token: string
}

export const ConfirmByLink = ({ title, promise, path, token }: ConfirmByLinkProps) =>
  promise === null ? (
    <DoorCard
      title="This link is no longer valid"
      icon="timer-off"
      lead={<>It has expired, was already used, or was replaced by a newer link.</>}
    >
      <ButtonLink label="Review security settings" variant="primary" size="lg" block href="/settings/security" />
    </DoorCard>
  ) : (
    <DoorCard title={title} lead={<span safe>{promise}</span>}>
      <Form class="stack" hx-post={path} hx-target="closest .card" hx-swap="outerHTML">
        <input type="hidden" name="token" value={token} />
        <Button label="Confirm" variant="primary" size="lg" block type="submit" />
      </Form>
    </DoorCard>
  )
