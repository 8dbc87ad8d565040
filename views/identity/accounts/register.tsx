import type { SignInOptions } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { Next, withNext } from '../sign-in/next.tsx'
import { PasswordField } from '../sign-in/password-field.tsx'
import { ProviderButtons } from '../sign-in/social-logins.tsx'

interface RegisterProps {
  next?: string
  options: SignInOptions
}

export const Register = ({ next, options }: RegisterProps) => (
  <>
    <DoorCard title="Create your organization">
      <Form class="stack" hx-post="/register" hx-target="closest .card" hx-swap="outerHTML">
        <Next path={next} />
        <input type="hidden" name="createOrganization" value="true" />
        <TextField label="Your name" name="name" autocomplete="name" maxlength={100} required autofocus />
        <TextField label="Email" name="email" type="email" autocomplete="username" required />
        <PasswordField autocomplete="new-password" minlength={10} hint="At least 10 characters" />
        <TextField
          label="Organization"
          name="organizationName"
          autocomplete="organization"
          maxlength={100}
          hint="Your company’s or team’s name"
          required
        />
        <Button label="Create organization" variant="primary" size="lg" block type="submit" />
      </Form>
      <ProviderButtons providers={options.providers} next={next} />
    </DoorCard>
    <footer>
      <span>
        Already have an account?{' '}
        <a class="link" href={withNext('/login', next)}>
          Sign in
        </a>
      </span>
      {options.demo ? (
        <span>
          Just looking? Run <code>bun run seed</code>, then sign in with a demo account.
        </span>
      ) : null}
    </footer>
  </>
)
