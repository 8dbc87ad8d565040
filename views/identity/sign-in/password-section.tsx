import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Setting } from '#views/ui/settings.tsx'
import { PasswordField } from './password-field.tsx'

const place = 'password-status'
const changing = 'change-password'

export const PasswordStatus = ({ hasPassword }: { hasPassword: boolean }) =>
  hasPassword ? (
    <Setting id={place} icon="lock" name="Password" detail="Signs you in together with your email address">
      <Button label="Change" aria-label="Change password" size="sm" commandfor={changing} command="show-modal" />
    </Setting>
  ) : (
    <Setting id={place} icon="lock" name="Password" detail="You don’t have one. We can email you a link to set it.">
      <ButtonLink label="Email me a link" size="sm" href="/forgot-password" />
    </Setting>
  )

/** `email` is for password managers. */
export const PasswordDialog = ({ email }: { email: string }) => (
  <Dialog id={changing} title="Change password">
    <Form hx-post="/api/auth/password" hx-target={`#${place}`} hx-swap="outerMorph">
      <div class="body">
        <input type="text" value={email} autocomplete="username" hidden readonly />
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          autocomplete="current-password"
          maxlength={256}
          required
          autofocus
        />
        <PasswordField autocomplete="new-password" minlength={10} label="New password" hint="At least 10 characters" />
        <p class="small muted">You’ll be signed out on your other devices.</p>
      </div>
      <DialogButtons dialog={changing} submit="Change password" />
    </Form>
  </Dialog>
)
