import type { WaitlistEntry } from '#dashboard/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { FieldError, Refusal, SiteInput, Trap, type Refusable } from './fields.tsx'

interface WaitlistProps extends Refusable {
  joined?: boolean
  /** Whether the entry was just deleted. */
  left?: boolean
}

export const waitedFor: Record<WaitlistEntry['topics'][number], { label: string; detail: string }> = {
  networks: { label: 'More networks', detail: 'X, LinkedIn, Instagram, and others that review each app' },
  video: { label: 'Video in posts', detail: 'Uploads work already. Publishing them comes next' },
  calendar: { label: 'The calendar', detail: 'Plan by dragging posts between days' },
  hosting: { label: 'Hosting in your region', detail: 'If you can’t use the region that we run in' },
}

export const Waitlist = ({ joined, left, refused }: WaitlistProps) => (
  <section class="counter" data-narrow>
    <header>
      <h1>What’s coming next</h1>
      <p class="lead">Pick what you’re waiting for. You’ll get one email when it’s ready, and nothing before.</p>
    </header>
    <form class="stack" style="--gap: 1.75rem" method="post" action="/api/waitlist">
      {joined ? (
        <Notice
          tone="info"
          role="status"
          title="Check your email"
          text="Open the link in it to confirm your address. You’re on the list once you do. If you are on it already, nothing changes; to choose other topics, leave by the link of the email first."
        />
      ) : null}
      {left ? <Notice tone="info" role="status" title="You’re off the list" text="Your address is deleted." /> : null}
      <Refusal refused={refused} title="Not saved" />
      <fieldset class="card" id="topics">
        <legend class="visually-hidden">What you’re waiting for</legend>
        <ul class="list" style="--pad: 1rem">
          {Object.entries(waitedFor).map(([value, { label, detail }]) => (
            <li>
              <label class="check grow">
                <input type="checkbox" name="topics[]" value={value} checked={isChosen(refused, value)} />
                <span class="grow">
                  <b safe>{label}</b>
                  <small safe> {detail}</small>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <FieldError name="topics" refused={refused} />
      <div class="inline-form" data-top>
        <SiteInput
          label="Email"
          name="email"
          type="email"
          autocomplete="email"
          required
          maxlength={254}
          refused={refused}
        />
        <Button label="Notify me" type="submit" variant="primary" />
      </div>
      <Trap />
      <p class="small muted">
        We’ll first ask you to confirm your address by email. It’s deleted after a week if you don’t, after two years,
        or when you leave the list.{' '}
        <a class="link" href="/privacy">
          Privacy
        </a>
      </p>
    </form>
  </section>
)

function isChosen(refused: Refusable['refused'], value: string): boolean {
  const chosen = refused?.given['topics']
  return Array.isArray(chosen) && chosen.includes(value)
}
