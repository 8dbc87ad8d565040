import type { Trouble } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { DemoAccounts, type DemoAccountsProps } from './demo-accounts.tsx'
import { DoorCard } from './door-card.tsx'
import { Next, withNext } from './next.tsx'
import { PasswordField } from './password-field.tsx'
import { UsePasskey } from './passkeys/use-passkey.tsx'
import { UpstreamButtons, UpstreamTrouble } from './social-logins.tsx'

interface LoginProps {
  /** The page to go on to, on this origin. */
  next?: string
  /** The demo accounts to offer. */
  demo: DemoAccountsProps
  /** Other sign-in providers. */
  providers: { id: string; name: string }[]
  trouble?: Trouble
  /** The host where people are signed in, when this is another service's. */
  authority?: { service: string; origin: string; host: string }
}

/** Signing in with a password. */
export const Login = ({ next, demo, providers, trouble, authority }: LoginProps) => (
  <>
    <DoorCard title="Sign in to Atrium">
      <UpstreamTrouble trouble={trouble} />
      <Form class="stack" hx-post="/api/auth/login">
        <Next path={next} />
        <TextField label="Email" name="email" type="email" autocomplete="username" required autofocus />
        <PasswordField autocomplete="current-password" />
        <Button label="Sign in" variant="primary" size="lg" block type="submit" />
      </Form>
      <UsePasskey next={next} other />
      {authority ? <Continue authority={authority} next={next} /> : null}
      <UpstreamButtons providers={providers} next={next} />
      <ButtonLink label="Email me a link" size="lg" block href={withNext('/login/link', next)} />
    </DoorCard>
    {demo.people.length > 0 ? <DemoAccounts {...demo} /> : null}
    <footer>
      <span>
        Don’t have an account?{' '}
        <a class="link" href={withNext('/register', next)}>
          Create an organization
        </a>
      </span>
      <a class="link" href="/forgot-password">
        Forgot your password?
      </a>
      <span>
        <a class="link" href={withNext('/login/organization', next)}>
          Sign in with single sign-on (SSO)
        </a>
      </span>
    </footer>
  </>
)

/** Who is signed in on identity's own host needs no password on this one. */
const Continue = ({ authority, next }: { authority: NonNullable<LoginProps['authority']>; next?: string }) => (
  <sso-begin data-service={authority.service} data-authority={authority.origin} data-next={next}>
    <Button label={`Continue at ${authority.host}`} size="lg" block />
  </sso-begin>
)
