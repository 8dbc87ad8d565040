import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { PasswordField } from './password-field.tsx'

interface PasswordSectionProps {
  email: string
  hasPassword: boolean
}

export const PasswordSection = ({ email, hasPassword }: PasswordSectionProps) =>
  hasPassword ? (
    <section class="section" id="password-section" aria-labelledby="security">
      <h2 id="security">Change your password</h2>
      <Form class="stack" hx-post="/api/auth/password" hx-target="#password-section" hx-swap="outerMorph">
        <input type="text" value={email} autocomplete="username" hidden readonly />
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
          hint="At least 10 characters. This signs you out everywhere else."
        />
        <div class="actions">
          <Button label="Change password" variant="primary" type="submit" />
        </div>
      </Form>
    </section>
  ) : (
    <section class="section" aria-labelledby="security">
      <h2 id="security">Password</h2>
      <p class="muted">You don’t have a password. We can email you a link to set one.</p>
      <div class="actions">
        <ButtonLink label="Email me a link" href="/forgot-password" />
      </div>
    </section>
  )
