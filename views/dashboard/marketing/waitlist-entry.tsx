import type { WaitlistEntry } from '#dashboard/types'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { waitedFor } from './words.ts'

interface Props {
  token: string
  entry: WaitlistEntry
}

export const WaitlistEntryPage = ({ token, entry: { email, topics, confirmedAt } }: Props) => (
  <section class="counter" data-narrow>
    <header>
      {confirmedAt ? (
        <p class="eyebrow">
          <Icon name="circle-check" />
          Confirmed
        </p>
      ) : null}
      <h1>{confirmedAt ? 'You’re on the list' : 'Confirm your address'}</h1>
      <p class="lead wrap-anywhere" safe>
        {confirmedAt
          ? `We’ll email ${email} when it’s ready, and nothing before.`
          : `One more step: confirm that ${email} is yours.`}
      </p>
    </header>
    <div class="stack" style="--gap: 1.5rem">
      <ul class="ticks">
        {topics.map((topic) => (
          <li>
            <Icon name="check" />
            <span safe>{waitedFor[topic].label}</span>
          </li>
        ))}
      </ul>
      {confirmedAt ? null : (
        <form method="post" action={`/api/waitlist/${token}/confirm`}>
          <Button label="Confirm" type="submit" variant="primary" size="lg" />
        </form>
      )}
      <form class="stack" method="post" action={`/api/waitlist/${token}?_method=DELETE`}>
        <p class="small muted">Changed your mind? This deletes your address.</p>
        <div class="actions">
          <Button label="Leave the list" type="submit" />
        </div>
      </form>
    </div>
  </section>
)
