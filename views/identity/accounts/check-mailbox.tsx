import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { KeptMailNote } from './kept-mail-note.tsx'

interface CheckMailboxProps {
  email: string
  /** Without a mail server, mails stay in the server's own mailbox. */
  keepsMail: boolean
}

/** The same for every address. */
export const CheckMailbox = ({ email, keepsMail }: CheckMailboxProps) => (
  <DoorCard title="Check your email">
    <p class="muted wrap-anywhere" role="status" safe>
      {`We sent a link to ${email}. Open it within 24 hours to finish.`}
    </p>
    {keepsMail ? <KeptMailNote /> : null}
    <Form class="stack" hx-post="/register/resend" hx-target="closest .card" hx-swap="outerHTML">
      <input type="hidden" name="email" value={email} />
      <Button label="Send it again" size="lg" block type="submit" />
    </Form>
  </DoorCard>
)
