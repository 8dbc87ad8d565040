import type { SignInOptions } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Choices, DoorCard, Or } from '../sign-in/door-card.tsx'
import { Next, withNext } from '../sign-in/next.tsx'
import { PasswordField } from '../sign-in/password-field.tsx'
import { ProviderButtons } from '../sign-in/social-logins.tsx'

interface RegisterProps {
  next?: string
  options: SignInOptions
}

export const Register = ({ next, options: { providers } }: RegisterProps) => (
  <>
    <DoorCard
      title="Create your account"
      lead={<>Plan your brands’ social media posts with your team. Atrium publishes each one on time, exactly once.</>}
    >
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
          hint="Your company or team"
          required
        />
        <Button label="Create account" variant="primary" size="lg" block type="submit" />
      </Form>
      {providers.length > 0 ? (
        <>
          <Or />
          <Choices>
            <ProviderButtons providers={providers} next={next} />
          </Choices>
        </>
      ) : null}
    </DoorCard>
    <footer>
      <span>
        Already have an account?{' '}
        <a class="link" href={withNext('/login', next)}>
          Sign in
        </a>
      </span>
    </footer>
  </>
)
