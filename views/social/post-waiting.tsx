import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/notice.tsx'
import { postHref, type Place, type PostLine } from './line.ts'
import { whyOf } from './state.ts'

interface PostWaitingProps {
  line: PostLine
  place: Place
  /** The other parts of its thread, in order. */
  thread: PostLine[]
}

/** What a due post waits for, and the ways on. */
export const PostWaiting = ({ line: { post }, place, thread }: PostWaitingProps) => {
  const before = thread.find((part) => part.post.id === post.waitingFor?.postId)
  const failed = before?.post.status === 'failed'
  return (
    <Notice
      tone="warning"
      role="status"
      title={whyOf(post, place) ?? undefined}
      text={
        failed
          ? 'That part failed: retry it and this one follows by itself, take this one out of the thread, or back to draft.'
          : 'It goes out by itself as soon as it can.'
      }
    >
      <div class="actions">
        {before ? (
          <a class="button" data-size="sm" href={postHref(before.post)}>
            Open that part
          </a>
        ) : null}
        {place.mayWrite && failed ? (
          <Button
            label="Take out of the thread"
            icon="undo-2"
            size="sm"
            hx-post={`/api/posts/${post.id}/detach`}
            hx-swap="none"
            data-act
          />
        ) : null}
      </div>
    </Notice>
  )
}
