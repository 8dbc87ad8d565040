import type { SecondFactorChallenge } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { DoorCard } from '../door-card.tsx'
import { Next, withNext } from '../next.tsx'

interface SecondFactorProps {
  challenge: SecondFactorChallenge
  next?: string
}

export const SecondFactor = ({ challenge, next }: SecondFactorProps) =>
  challenge.expiresAt ? <SecondFactorForm next={next} /> : <ExpiredSignIn next={next} />

const ExpiredSignIn = ({ next }: { next?: string }) => (
  <DoorCard title="Your sign-in expired">
    <p class="muted">It timed out, had too many incorrect codes, or was already completed.</p>
    <ButtonLink label="Sign in" variant="primary" size="lg" block href={withNext('/login', next)} />
  </DoorCard>
)

const SecondFactorForm = ({ next }: { next?: string }) => (
  <>
    <DoorCard title="Two-factor authentication">
      <Form class="stack" hx-post="/api/auth/login/second-factor">
        <Next path={next} />
        <TextField
          label="Code"
          name="code"
          hint="Six digits from your authenticator app, or a recovery code"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck="false"
          maxlength={40}
          required
          autofocus
        />
        <Button label="Sign in" variant="primary" size="lg" block type="submit" />
      </Form>
    </DoorCard>
    <footer>
      <a class="link" href={withNext('/login', next)}>
        Sign in another way
      </a>
    </footer>
  </>
)
