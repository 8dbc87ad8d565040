import type { AppReview } from '#identity/types'
import { Icon } from '#views/ui/icon.tsx'
import { Time, TimesIn } from '#views/ui/time.tsx'

const decisions = {
  approved: { state: 'published', icon: 'check', word: 'Approved' },
  rejected: { state: 'failed', icon: 'x', word: 'Rejected' },
  withdrawn: { state: 'draft', icon: 'undo-2', word: 'Withdrawn' },
} as const

const gone = 'a deleted account'

/** Submissions and their decisions, the newest first. */
export const ReviewHistory = ({ reviews }: { reviews: AppReview[] }) => (
  <section class="section" aria-labelledby="history">
    <header>
      <h2 id="history">Reviews</h2>
      {reviews.length > 0 ? <TimesIn /> : null}
    </header>
    {reviews.length > 0 ? (
      <ol class="timeline">
        {reviews.map((review) => (
          <>
            {review.decision ? <Decision review={review} decision={review.decision} /> : null}
            <li data-state="scheduled">
              <span class="mark">
                <Icon name="send" />
              </span>
              <div>
                <b class="wrap-anywhere" safe>{`Submitted by ${review.submittedBy?.name ?? gone}`}</b>
                <Time at={review.submittedAt} form="moment" />
              </div>
            </li>
          </>
        ))}
      </ol>
    ) : (
      <p class="muted">No submissions yet.</p>
    )}
  </section>
)

interface DecisionProps {
  review: AppReview
  decision: keyof typeof decisions
}

const Decision = ({ review: { reason, decidedBy, decidedAt }, decision }: DecisionProps) => {
  const { state, icon, word } = decisions[decision]
  return (
    <li data-state={state}>
      <span class="mark">
        <Icon name={icon} />
      </span>
      <div>
        <b class="wrap-anywhere" safe>{`${word} by ${decidedBy?.name ?? gone}`}</b>
        {reason ? <small class="wrap-anywhere" safe>{`“${reason}”`}</small> : null}
        {decidedAt ? <Time at={decidedAt} form="moment" /> : null}
      </div>
    </li>
  )
}
