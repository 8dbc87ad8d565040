import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Choices, DoorCard } from '../sign-in/door-card.tsx'
import { KeptMailNote } from './kept-mail-note.tsx'

interface CheckMailboxProps {
  email: string
  /** Without a mail server, mails stay in the server's own mailbox. */
  keepsMail: boolean
}

/** The same for every address. */
export const CheckMailbox = ({ email, keepsMail }: CheckMailboxProps) => (
  <DoorCard
    title="Check your email"
    icon="mail"
    lead={
      <span role="status">
        We sent a link to <b safe>{email}</b>. Open it within 24 hours to finish.
      </span>
    }
  >
    {keepsMail ? <KeptMailNote /> : null}
    <Choices>
      <Form hx-post="/register/resend" hx-target="closest .card" hx-swap="outerHTML">
        <input type="hidden" name="email" value={email} />
        <Button label="Send again" size="lg" block type="submit" />
      </Form>
      <ButtonLink label="Use a different email" variant="ghost" size="lg" block href="/register" />
    </Choices>
    <p class="muted small">Nothing after 5 minutes? Check your spam folder.</p>
  </DoorCard>
)
