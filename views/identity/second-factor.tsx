import { Button } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { DoorCard } from './door-card.tsx'
import { Next, withNext } from './next.tsx'

/** The second step of signing in: a code. */
export const SecondFactor = ({ next }: { next?: string }) => (
  <>
    <DoorCard title="One more step">
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
