import type { PostReviews, Review } from '#social/types'
import { assetUrl } from '#lib/assets.ts'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Badge } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { postsTopic, type Place } from '../posts/post-text.ts'
import { Changes } from './changes.tsx'
import { Comments } from './comments.tsx'
import { DecideForm } from './decide-form.tsx'
import type { Discussion } from './discussion.ts'
import { describeReviewStatus, nameOf } from './review-text.ts'

export interface ReviewPanelProps {
  post: { id: string; version: number; brandId: string }
  reviews: PostReviews
  discussion: Discussion
  place: Place
  /** For a page that doesn’t have its styles. */
  withStyles?: boolean
}

/** The review of one post: its state, what to decide, the comments and the history. */
export const ReviewPanel = ({ post, reviews, discussion, place, withStyles }: ReviewPanelProps) => {
  const { review, can, items } = reviews
  const badge = describeReviewStatus(review)
  return (
    <section
      class="section review"
      id="review"
      aria-labelledby="review-title"
      {...liveAt(`/api/posts/${post.id}/reviews`, postsTopic(post.brandId))}
    >
      {withStyles ? <link rel="stylesheet" href={assetUrl('css/screens/review.css')} /> : null}
      <header>
        <h2 id="review-title">Review</h2>
        <Badge label={badge.label} tone={badge.tone} />
        {can.request && review.state === null ? (
          <Button
            label="Request review"
            size="sm"
            hx-post={`/api/posts/${post.id}/review-requests`}
            hx-swap="none"
            data-refresh
          />
        ) : null}
      </header>
      {review.missing > 0 ? (
        <p
          class="small muted"
          safe
        >{`Needs ${review.missing === 1 ? 'an approval' : `${review.missing} approvals`} before it can be published. An edit voids approvals.`}</p>
      ) : null}
      <Changes {...reviews} place={place} />
      {can.restoreText ? (
        <Button
          label="Restore approved text"
          icon="undo-2"
          size="sm"
          hx-post={`/api/posts/${post.id}/restore-approved-text`}
          hx-vals={JSON.stringify({ version: post.version })}
          hx-swap="none"
          data-refresh
        />
      ) : null}
      <DecideForm posts={[post]} can={can} />
      {items.length > 0 ? (
        <ol class="timeline" aria-label="Decisions">
          {items.map((item) => (
            <Decision item={item} place={place} />
          ))}
        </ol>
      ) : null}
      <Comments
        {...discussion}
        postId={post.id}
        place={place}
        canComment={can.comment}
        sharedWithGuests={reviews.sharedWithGuests}
      />
    </section>
  )
}

const voidedWords = {
  edited: ' · voided by an edit',
  thread_changed: ' · voided by a change to its thread',
  decided_again: ' · decided again later',
  revoked: ' · no longer counts: the link was revoked, or the brand moved',
}

const Decision = ({ item, place }: { item: Review; place: Place }) => (
  <li data-state={item.voidedAt ? 'draft' : item.decision === 'approve' ? 'published' : 'waiting'}>
    <span class="mark">
      <Icon name={item.decision === 'approve' ? 'check' : 'pen-line'} />
    </span>
    <div>
      <div class="head">
        <b class="wrap-anywhere" safe>
          {`${item.decision === 'approve' ? 'Approved' : 'Changes requested'} by ${nameOf(item.by)}`}
        </b>
        <Time at={item.createdAt} zone={place.zone} />
      </div>
      <small safe>
        {`Version ${item.postVersion}${item.confirmedAlone ? ' · confirmed with a second factor' : ''}${item.voidReason ? voidedWords[item.voidReason] : ''}`}
      </small>
      {item.comment ? (
        <p class="prose wrap-anywhere" safe>
          {item.comment}
        </p>
      ) : null}
      <details>
        <summary class="small">Text at that time</summary>
        <p class="prose wrap-anywhere" safe>
          {item.content.text}
        </p>
      </details>
    </div>
  </li>
)
