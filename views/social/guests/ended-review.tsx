import type { ExpiredReview } from '#social/types'
import { counted } from '#lib/text.ts'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { timeText } from '#views/ui/time.tsx'
import { BrandLogo } from './brand-logo.tsx'

/** Without a review: of a link that is unknown or revoked, which the page doesn't distinguish. */
type EndedProps = { review: ExpiredReview; token: string } | { review?: undefined; token?: undefined }

export const EndedReview = ({ review, token }: EndedProps) => (
  <div id="review">
    <main id="main" tabindex="-1" class="ended">
      <div class="card">{review ? <Expired review={review} token={token} /> : <Unknown />}</div>
      <footer>
        <a href="/">What Atrium is</a>
      </footer>
    </main>
  </div>
)

const Unknown = () => (
  <header>
    <span class="app-mark">
      <Icon name="link" />
    </span>
    <h1>This link doesn’t work</h1>
    <p class="muted">It may be incomplete or revoked. Ask the person who sent it for a new one.</p>
  </header>
)

const Expired = ({ review, token }: { review: ExpiredReview; token: string }) => (
  <>
    <header>
      <BrandLogo brand={review.brand} />
      <h1>This link has expired</h1>
      <p class="muted wrap-anywhere" safe>
        {`It was for ${review.guestName ?? 'a guest'} of ${review.brand.name} and worked until ${timeText(review.expiresAt, review.brand.timeZone, 'full')}. Your approvals and comments are saved.`}
      </p>
    </header>
    {review.requestedAt ? (
      <p role="status" safe>
        {`A new link was requested. ${review.invitedBy ?? 'The person who sent it'} got a notification: once they extend it, this address works again.`}
      </p>
    ) : (
      <Form class="stack" hx-post={`/api/review/${token}/request`} hx-target="#review" hx-swap="outerMorph">
        <p safe>
          {`${waitingText(review.waiting)}Request a new link, and ${review.invitedBy ?? 'the person who sent it'} gets a notification.`}
        </p>
        <Button label="Request a new link" icon="send" variant="primary" size="lg" block type="submit" />
      </Form>
    )}
  </>
)

const waitingText = (waiting: number): string =>
  waiting === 0 ? '' : `${counted(waiting, 'post')} ${waiting === 1 ? 'was' : 'were'} still waiting for you. `
