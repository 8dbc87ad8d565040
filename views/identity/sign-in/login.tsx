import type { SignInOptions, Trouble } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { DemoAccounts } from './demo-accounts.tsx'
import { Choices, DoorCard, Or } from './door-card.tsx'
import { Next, withNext } from './next.tsx'
import { PasswordField } from './password-field.tsx'
import { UsePasskey } from './passkeys/use-passkey.tsx'
import { ProviderButtons, SsoFailure } from './social-logins.tsx'

interface LoginProps {
  next?: string
  options: SignInOptions
  trouble?: Trouble
}

export const Login = (props: LoginProps) => (
  <>
    <LoginCard {...props} />
    <footer>
      <span>
        New here?{' '}
        <a class="link" href={withNext('/register', props.next)}>
          Create an organization
        </a>
      </span>
    </footer>
  </>
)

export const LoginCard = ({ next, trouble, options: { authority, demo, providers } }: LoginProps) => (
  <>
    <DoorCard title="Sign in to Atrium">
      <SsoFailure trouble={trouble} />
      <Form class="stack" hx-post="/api/auth/login">
        <Next path={next} />
        <TextField label="Email" name="email" type="email" autocomplete="username" required autofocus />
        <PasswordField autocomplete="current-password" canReset />
        <Button label="Sign in" variant="primary" size="lg" block type="submit" />
      </Form>
      <Or />
      <Choices>
        <UsePasskey next={next} />
        {authority ? <Continue authority={authority} next={next} /> : null}
        <ProviderButtons providers={providers} next={next} />
        <ButtonLink label="Email me a link" icon="mail" size="lg" block href={withNext('/login/link', next)} />
        <ButtonLink
          label="Use single sign-on"
          icon="building-2"
          size="lg"
          block
          href={withNext('/login/organization', next)}
        />
      </Choices>
    </DoorCard>
    {demo && demo.people.length > 0 ? <DemoAccounts {...demo} /> : null}
  </>
)

/** People who are signed in on the authority's host need no password here. */
const Continue = ({ authority, next }: { authority: NonNullable<SignInOptions['authority']>; next?: string }) => (
  <sso-begin data-service={authority.service} data-authority={authority.origin} data-next={next}>
    <Button label={`Continue at ${authority.host}`} size="lg" block />
  </sso-begin>
)
