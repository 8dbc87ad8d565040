import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { FieldError, Refusal, SiteInput, Trap, type Refusable } from './fields.tsx'
import { waitedFor } from './words.ts'

interface WaitlistProps extends Refusable {
  joined?: boolean
  /** Whether the entry was just deleted. */
  left?: boolean
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
          text="Open the link in it to confirm your address. You’re on the list once you do. If you’re on it already, nothing changes. To choose other topics, leave the list with the link in that email first."
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
        We’ll email you a link to confirm your address. We delete the address after a week if you don’t confirm it,
        after two years, or when you leave the list.{' '}
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
