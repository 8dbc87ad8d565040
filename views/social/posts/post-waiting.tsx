import type { ListedPost } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { changing } from './post-actions.tsx'
import { postHref, type Place, reasonOf } from './post-text.ts'

interface PostWaitingProps {
  post: ListedPost
  place: Place
  thread: ListedPost[]
}

export const PostWaiting = ({ post, place, thread }: PostWaitingProps) => {
  const before = thread.find(({ id }) => id === post.waitingFor?.postId)
  const failed = before?.status === 'failed'
  return (
    <Notice
      tone="warning"
      role="status"
      title={reasonOf(post, place) ?? undefined}
      text={
        before && failed
          ? `Post ${before.position + 1} failed. Retry it, or remove this one from the thread.`
          : post.waitingFor?.reason === 'paused'
            ? 'It will be published as soon as publishing is resumed.'
            : post.waitingFor?.reason === 'approval_required'
              ? 'It will be published as soon as it is approved, within 24 hours after its time.'
              : 'It will be published as soon as possible.'
      }
    >
      <div class="actions">
        {before ? (
          <a class="button" data-size="sm" href={postHref(before)} safe>
            {`View post ${before.position + 1}`}
          </a>
        ) : null}
        {post.can.detach && failed ? (
          <Button
            label="Remove from thread"
            icon="undo-2"
            size="sm"
            hx-post={`/api/posts/${post.id}/detach`}
            {...changing(post, 'page')}
          />
        ) : null}
      </div>
    </Notice>
  )
}
