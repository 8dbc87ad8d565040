import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Choices, DoorCard } from '../sign-in/door-card.tsx'

interface SsoCallbackProps {
  /** What the server began on this host. */
  started: { verifier: string; state: string; next: string } | null
}

/** `sso-callback` redeems the code in the URL and shows one part at a time. */
export const SsoCallback = ({ started }: SsoCallbackProps) => (
  <sso-callback data-started={started ? JSON.stringify(started) : undefined}>
    <div data-part="waiting">
      <DoorCard
        title="Signing you in"
        lead={<span role="status">You’ll be redirected in a moment. This page requires JavaScript.</span>}
      />
    </div>
    <div data-part="question" hidden>
      <DoorCard title="Switch to another account?">
        <p class="wrap-anywhere" role="alert">
          You’re signed in as <b data-current />. This link would sign you in as <b data-arriving /> instead. Only
          switch if you opened this app yourself.
        </p>
        <Choices>
          <Button label="Cancel" variant="primary" size="lg" block data-stay />
          <Button label="Switch account" size="lg" block data-continue />
        </Choices>
      </DoorCard>
    </div>
    <div data-part="failed" hidden>
      <DoorCard title="Sign-in failed">
        <Notice tone="danger" role="alert">
          <p data-detail />
        </Notice>
        <ButtonLink label="Sign in" variant="primary" size="lg" block href="/login" />
      </DoorCard>
    </div>
  </sso-callback>
)
