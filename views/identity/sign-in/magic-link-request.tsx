import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Choices, DoorCard } from './door-card.tsx'
import { Next, withNext } from './next.tsx'

export const MagicLinkRequest = ({ next }: { next?: string }) => (
  <DoorCard title="Sign in with email" lead={<>We’ll email you a sign-in link. No password needed.</>}>
    <Form class="stack" hx-post="/api/auth/magic-link" hx-target="closest .card" hx-swap="outerHTML">
      <Next path={next} />
      <TextField label="Email" name="email" type="email" autocomplete="username" required autofocus />
      <Choices>
        <Button label="Email me a link" variant="primary" size="lg" block type="submit" />
        <ButtonLink label="Sign in with a password" variant="ghost" size="lg" block href={withNext('/login', next)} />
      </Choices>
    </Form>
  </DoorCard>
)
