import type { SecondFactorChallenge } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Choices, DoorCard, Or } from '../door-card.tsx'
import { Next, withNext } from '../next.tsx'
import { UsePasskey } from '../passkeys/use-passkey.tsx'

interface SecondFactorProps {
  challenge: SecondFactorChallenge
  next?: string
  method?: 'recovery'
}

export const SecondFactor = ({ challenge: { expiresAt, email, passkey }, next, method }: SecondFactorProps) =>
  expiresAt ? (
    <>
      {method === 'recovery' ? <RecoveryCode next={next} /> : <AppCode email={email} passkey={passkey} next={next} />}
      <footer>
        <a class="link" href={withNext('/login', next)}>
          Sign in as someone else
        </a>
      </footer>
    </>
  ) : (
    <ExpiredSignIn next={next} />
  )

const ExpiredSignIn = ({ next }: { next?: string }) => (
  <DoorCard
    title="Sign in to continue"
    lead={<>No sign-in is waiting for a code. It may have timed out, or had too many incorrect codes.</>}
  >
    <ButtonLink label="Sign in" variant="primary" size="lg" block href={withNext('/login', next)} />
  </DoorCard>
)

type AppCodeProps = Pick<SecondFactorChallenge, 'email' | 'passkey'> & { next?: string }

const AppCode = ({ email, passkey, next }: AppCodeProps) => (
  <DoorCard
    title="Enter your code"
    lead={
      <>
        From your authenticator app, for <b safe>{email ?? 'your account'}</b>.
      </>
    }
  >
    <Form class="stack" hx-post="/api/auth/login/second-factor">
      <Next path={next} />
      <TextField
        label="Six-digit code"
        name="code"
        class="input one-time-code"
        inputmode="numeric"
        autocomplete="one-time-code"
        maxlength={7}
        required
        autofocus
      />
      <Button label="Sign in" variant="primary" size="lg" block type="submit" />
    </Form>
    <Or />
    <Choices>
      {passkey ? <UsePasskey next={next} /> : null}
      <ButtonLink label="Use a recovery code" icon="key-round" size="lg" block href={stepPath(next, 'recovery')} />
    </Choices>
  </DoorCard>
)

const RecoveryCode = ({ next }: { next?: string }) => (
  <DoorCard
    title="Enter a recovery code"
    lead={<>One of the codes that you saved when you set up your authenticator app. Each works once.</>}
  >
    <Form class="stack" hx-post="/api/auth/login/second-factor">
      <Next path={next} />
      <TextField
        label="Recovery code"
        name="code"
        hint="16 characters, such as xxxx-xxxx-xxxx-xxxx"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        maxlength={40}
        required
        autofocus
      />
      <Choices>
        <Button label="Sign in" variant="primary" size="lg" block type="submit" />
        <ButtonLink label="Use your authenticator app" variant="ghost" size="lg" block href={stepPath(next)} />
      </Choices>
    </Form>
  </DoorCard>
)

const stepPath = (next?: string, method?: 'recovery'): string => {
  const query = new URLSearchParams({ ...(next && { next }), ...(method && { method }) }).toString()
  return query ? `/login/second-factor?${query}` : '/login/second-factor'
}
