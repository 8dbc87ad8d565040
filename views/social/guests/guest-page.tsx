import type { ExpiredReview, GuestReview, OpenReview } from '#social/types'
import { counted } from '#lib/text.ts'
import { Button } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Dialog } from '#views/ui/overlays.tsx'
import { timeText, zoneName } from '#views/ui/time.tsx'
import { BrandLogo } from './brand-logo.tsx'
import { EndedReview } from './ended-review.tsx'
import { GuestCard } from './guest-card.tsx'
import { groupPosts, isDone } from './review-groups.ts'

export interface GuestPageProps {
  token: string
  /** Null for an address that doesn't work. */
  review: GuestReview | null
}

export const GuestPage = ({ token, review }: GuestPageProps) =>
  review ? <GuestReviewView review={review} token={token} /> : <EndedReview />

interface ReviewProps<Review> {
  review: Review
  token: string
}

export const GuestReviewView = ({ review, token }: ReviewProps<GuestReview>) =>
  review.state === 'open' ? <OpenReviewView review={review} token={token} /> : <Expired review={review} token={token} />

const Expired = ({ review, token }: ReviewProps<ExpiredReview>) => <EndedReview review={review} token={token} />

const OpenReviewView = ({ review, token }: ReviewProps<OpenReview>) => (
  <div id="review" {...liveAt(`/api/review/${token}`, 'often')}>
    <header>
      <BrandLogo brand={review.brand} />
      <span class="grow">
        <strong class="wrap-anywhere" safe>
          {review.brand.name}
        </strong>
        <small class="muted">Review by link</small>
      </span>
      {review.guestName ? <You review={review} name={review.guestName} /> : null}
    </header>
    <main id="main" tabindex="-1">
      {review.guestName ? (
        <Posts review={review} token={token} name={review.guestName} />
      ) : (
        <AskName review={review} token={token} />
      )}
    </main>
    <footer>
      <p safe>{footerOf(review)}</p>
    </footer>
  </div>
)

const footerOf = ({ guestName, expiresAt, invitedBy, brand }: OpenReview): string => {
  const until = timeText(expiresAt, brand.timeZone, 'full')
  const owner = invitedBy ? ` ${invitedBy} can revoke it sooner.` : ''
  return `This link is only for ${guestName ?? 'you'} and expires ${until}.${owner}`
}

const You = ({ review: { invitedBy }, name }: { review: OpenReview; name: string }) => (
  <div class="actions">
    <small class="muted" safe>{`You are ${name}`}</small>
    <Button label="Not you?" variant="ghost" size="sm" commandfor="not-you" command="show-modal" />
    <Dialog id="not-you" title={`This link is for ${name}`}>
      <div class="body">
        <p safe>
          {`Decisions and comments here are saved in the name of ${name}. If that isn’t you, ask ${invitedBy ?? 'the person who sent it'} for a link of your own.`}
        </p>
      </div>
    </Dialog>
  </div>
)

const AskName = ({ review, token }: ReviewProps<OpenReview>) => (
  <div class="card name">
    <Form hx-put={`/api/review/${token}/name`} hx-target="#review" hx-swap="outerMorph">
      <div class="body stack">
        <h1>What is your name?</h1>
        <p class="muted" safe>
          {`${review.invitedBy ?? review.brand.name} asked you to review ${counted(groupPosts(review.posts).length, 'post')}. Your name is shown with your decisions and comments, and can’t be changed later. No account needed.`}
        </p>
        <TextField label="Your name" name="name" required maxlength="80" autocomplete="name" />
        <Button label="Continue" variant="primary" type="submit" />
      </div>
    </Form>
  </div>
)

const Posts = ({ review, token, name }: ReviewProps<OpenReview> & { name: string }) => {
  const groups = groupPosts(review.posts)
  const done = groups.filter(isDone)
  const waiting = groups.filter((group) => !isDone(group))
  const { timeZone } = review.brand
  const zone = `${timeZone.split('/').at(-1)?.replaceAll('_', ' ')} (${zoneName(new Date(), timeZone)})`
  const invitation = review.invitedBy ? `${review.invitedBy} asked you to take a look before they go out. ` : ''
  return (
    <>
      <header>
        <h1 class="wrap-anywhere" safe>
          {headingOf(name, waiting.length, review.canDecide)}
        </h1>
        <p class="muted" safe>{`${invitation}No account needed. Times are in ${zone}.`}</p>
        {groups.length > 0 && review.canDecide ? (
          <div class="row">
            <small class="nowrap" safe>{`${done.length} of ${groups.length} done`}</small>
            <span
              class="meter grow"
              style={`--value: ${Math.round((100 * done.length) / groups.length)}%`}
              aria-hidden="true"
            />
          </div>
        ) : null}
      </header>
      <>
        {[...waiting, ...done].map((group) => (
          <GuestCard group={group} review={review} token={token} />
        ))}
      </>
    </>
  )
}

function headingOf(name: string, waiting: number, canDecide: boolean): string {
  if (waiting === 0) return `Hi ${name}, nothing is waiting for you`
  const verb = waiting === 1 ? 'needs' : 'need'
  return `Hi ${name}, ${counted(waiting, 'post')} ${canDecide ? `${verb} your review` : `${waiting === 1 ? 'is' : 'are'} ready for your comments`}`
}
