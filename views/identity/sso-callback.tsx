import { ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/notice.tsx'
import { DoorCard } from './door-card.tsx'

/** Where one-time codes lead: `sso-callback` redeems the code of the address, or shows the second part. */
export const SsoCallback = () => (
  <sso-callback>
    <DoorCard title="Signing you in">
      <p class="muted" role="status">
        One moment. This page continues by itself; it needs JavaScript.
      </p>
    </DoorCard>
    <div hidden>
      <DoorCard title="You are not signed in">
        <Notice tone="danger" role="alert" title="This sign-in didn’t work">
          <p data-detail />
        </Notice>
        <ButtonLink label="Sign in" variant="primary" size="lg" block href="/login" />
      </DoorCard>
    </div>
  </sso-callback>
)
