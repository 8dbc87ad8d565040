import type { ProofMethods } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Setting } from '#views/ui/settings.tsx'
import { ProofField } from '../sign-in/second-factor/proof-field.tsx'

export interface DeleteAccountProps {
  user: { email: string }
  /** The ways in which the person can reauthenticate. */
  ways: ProofMethods
}

const deleting = 'delete-account'

/** The row of the account's deletion, which asks for the email address and reauthentication. */
export const DeleteAccount = ({ user, ways }: DeleteAccountProps) => (
  <Setting
    name="Delete account"
    detail="Your name, email address and ways to sign in are deleted after 30 days. Content you created in organizations stays there, without your name. To cancel before then, sign in."
  >
    <Button
      label="Delete"
      aria-label="Delete account"
      size="sm"
      variant="quiet-danger"
      commandfor={deleting}
      command="show-modal"
    />
    <Dialog id={deleting} title="Delete your account?">
      <Form hx-delete="/api/auth/me">
        <div class="body stack">
          <p>You’ll be signed out everywhere, and API keys that you created stop working immediately.</p>
          <TextField
            label="Email address"
            name="confirm"
            id="confirm-email"
            type="email"
            hint={`Type ${user.email} to confirm`}
            autocomplete="off"
            maxlength={254}
            required
            autofocus
          />
          <ProofField id={deleting} ways={ways} />
        </div>
        <DialogButtons dialog={deleting} submit="Delete account" danger />
      </Form>
    </Dialog>
  </Setting>
)
