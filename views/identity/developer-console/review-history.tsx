import type { AppReview } from '#identity/types'
import { Badge } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'

const tones = { approved: 'success', rejected: 'danger', withdrawn: undefined } as const
const decisions = { approved: 'Approved', rejected: 'Rejected', withdrawn: 'Withdrawn' } as const
const gone = 'a deleted account'

export const ReviewHistory = ({ reviews }: { reviews: AppReview[] }) => (
  <section class="section" aria-labelledby="history">
    <h2 id="history">Reviews</h2>
    <ul class="list">
      {reviews.map((review) => (
        <li>
          <span class="grow">
            {review.decision ? (
              <Badge label={decisions[review.decision]} tone={tones[review.decision]} />
            ) : (
              <Badge label="Waiting" tone="info" />
            )}
            {review.reason ? (
              <span class="wrap-anywhere" safe>
                {` ${review.reason}`}
              </span>
            ) : null}
            <small>
              Submitted <Time at={review.submittedAt} /> <span safe>{`by ${review.submittedBy?.name ?? gone}`}</span>
            </small>
            {review.decidedAt ? (
              <small>
                Decided <Time at={review.decidedAt} /> <span safe>{`by ${review.decidedBy?.name ?? gone}`}</span>
              </small>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  </section>
)
