import type { PushSubscription, PushSubscriptionList } from '#dashboard/types'
import { Button } from '#views/ui/button.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { Time } from '#views/ui/time.tsx'
import { browsersPlace, browsersRoute } from './places.ts'

interface BrowsersProps {
  list: PushSubscriptionList
}

export const Browsers = ({ list: { items, publicKey } }: BrowsersProps) => (
  <SettingsSection
    id={browsersPlace}
    title="Push messages"
    text="Browsers that show them, also while no page of Atrium is open."
    hx-get={browsersRoute}
    hx-trigger="browsers-changed"
    hx-swap="outerMorph"
  >
    <div class="card">
      <ul class="list" aria-label="Browsers">
        <li>
          <push-browser class="grow" data-key={publicKey} data-route={browsersRoute} hx-morph-skip="">
            <span>This browser</span>
            <small role="status">Your browser has to run scripts to show push messages.</small>
          </push-browser>
        </li>
        {items.map((subscription) => (
          <Row subscription={subscription} />
        ))}
      </ul>
    </div>
  </SettingsSection>
)

const Row = ({ subscription: { id, browser, createdAt, lastSentAt } }: { subscription: PushSubscription }) => (
  <Setting
    id={`browser-${id}`}
    icon="monitor"
    name={browser}
    detail={
      <>
        Since <Time at={createdAt} form="day" />
        {lastSentAt ? (
          <>
            , last message <Time at={lastSentAt} form="moment" />
          </>
        ) : null}
      </>
    }
  >
    <Button
      label="Remove"
      size="sm"
      variant="quiet-danger"
      aria-label={`Remove ${browser}`}
      hx-delete={`${browsersRoute}/${id}`}
      hx-target={`#${browsersPlace}`}
      hx-swap="outerMorph"
    />
  </Setting>
)
