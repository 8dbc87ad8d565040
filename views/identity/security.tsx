import { Button } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { PasswordField } from './password-field.tsx'

/** One's password. */
export const Security = ({ email }: { email: string }) => (
  <div class="page" style="--measure: 36rem">
    <section class="section" aria-labelledby="security">
      <h2 id="security">Change your password</h2>
      <Form class="stack" hx-post="/api/auth/password">
        <input type="text" name="email" value={email} autocomplete="username" hidden readonly />
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          autocomplete="current-password"
          maxlength={256}
          required
        />
        <PasswordField
          autocomplete="new-password"
          minlength={10}
          label="New password"
          hint="At least 10 characters. Your other sessions end"
        />
        <div class="actions">
          <Button label="Change password" variant="primary" type="submit" />
        </div>
      </Form>
    </section>
  </div>
)
