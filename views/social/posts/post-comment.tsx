import type { PostDetails } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { changing } from './post-actions.tsx'
import { networkNames, type Place, reasonOf } from './post-text.ts'

interface PostCommentProps {
  post: PostDetails
  place: Place
}

type Comment = NonNullable<PostDetails['firstCommentStatus']>

const looks: Record<Comment['state'], StatusLook> = {
  pending: { state: 'waiting', icon: 'hourglass', word: 'Waiting' },
  sending: { state: 'sending', icon: 'send', word: 'Sending' },
  published: { state: 'published', icon: 'circle-check', word: 'Published' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
  unknown: { state: 'failed', icon: 'circle-help', word: 'Not confirmed' },
}

/** The first comment of a post, and what became of it. */
export const PostComment = ({ post, place }: PostCommentProps) => {
  const { firstComment, firstCommentStatus: status } = post
  if (firstComment === null) return <></>
  return (
    <section class="section" id="first-comment" aria-labelledby="first-comment-title">
      <header>
        <h2 id="first-comment-title">First comment</h2>
        {status ? (
          <StatusMark {...looks[status.state]} />
        ) : (
          <small class="muted">Written when the post is published</small>
        )}
        {status?.state === 'published' && status.settledAt ? (
          <small class="muted">
            <Time at={status.settledAt} zone={place.zone} />
          </small>
        ) : null}
      </header>
      <p class="wrap-anywhere" style="white-space: pre-line" safe>
        {firstComment}
      </p>
      {status ? <Trouble post={post} status={status} place={place} /> : null}
    </section>
  )
}

const Trouble = ({ post, status, place }: PostCommentProps & { status: Comment }) => {
  const { state, waitingFor } = status
  if (waitingFor)
    return (
      <p class="muted small" safe>
        {reasonOf({ ...post, waitingFor }, place) ?? ''}
      </p>
    )
  if (state !== 'failed' && state !== 'unknown') return <></>
  const network = networkNames[post.provider]
  return (
    <Notice
      tone={state === 'failed' ? 'danger' : 'warning'}
      role="status"
      title={
        state === 'failed'
          ? `${network} has the post, but not the comment`
          : 'We couldn’t confirm that the comment was written'
      }
      text={status.failureMessage ?? 'The network gave no reason.'}
    >
      {status.can.retry ? <Buttons post={post} status={status} /> : null}
    </Notice>
  )
}

const Buttons = ({ post, status: { state, failureRetryable } }: { post: PostDetails; status: Comment }) => (
  <div class="actions">
    <Button
      label={state === 'failed' ? 'Retry' : 'Send again'}
      icon="rotate-cw"
      size="sm"
      variant={failureRetryable ? 'primary' : undefined}
      hx-post={`/api/posts/${post.id}/first-comment/retry`}
      {...(state === 'unknown' && {
        'hx-confirm': `Look at the post on ${networkNames[post.provider]} first. If the comment is there, it is written twice.`,
      })}
      {...changing(post, 'page')}
    />
    <Button
      label="Mark as written"
      icon="check"
      size="sm"
      hx-post={`/api/posts/${post.id}/first-comment/confirm`}
      {...changing(post, 'page')}
    />
    {post.firstComments === 'permission_missing' && post.target?.connectionId ? (
      <a class="button" data-size="sm" href={`/workspace/accounts/${post.target.connectionId}`}>
        Reconnect with first comments
      </a>
    ) : null}
  </div>
)
