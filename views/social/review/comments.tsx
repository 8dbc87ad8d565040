import type { PostComment } from '#social/types'
import { assetUrl } from '#lib/assets.ts'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import type { Place } from '../posts/post-text.ts'
import type { Discussion } from './discussion.ts'
import { nameOf } from './review-text.ts'

interface CommentsProps extends Discussion {
  postId: string
  place: Pick<Place, 'zone'>
  canComment: boolean
  sharedWithGuests: boolean
}

export const Comments = (props: CommentsProps) => (
  <div class="stack comments" id={`comments-${props.postId}`}>
    <OlderComments {...props} />
    {props.canComment ? <CommentForm postId={props.postId} sharedWithGuests={props.sharedWithGuests} /> : null}
  </div>
)

/** In place of the button that loads them. */
export const OlderComments = ({ comments, older, place, canComment }: CommentsProps) => (
  <>
    {older ? (
      <Button label="Older comments" size="sm" variant="ghost" hx-get={older} hx-swap="outerHTML" hx-target="this" />
    ) : null}
    {comments.map((comment) => (
      <Comment comment={comment} place={place} canResolve={canComment} />
    ))}
  </>
)

interface CommentProps {
  comment: PostComment
  place: Pick<Place, 'zone'>
  canResolve: boolean
}

const Comment = ({ comment, place, canResolve }: CommentProps) => (
  <div class="comment" id={`comment-${comment.id}`} data-resolved={comment.resolvedAt !== null}>
    <Avatar name={nameOf(comment.by)} seed={comment.by.userId ?? nameOf(comment.by)} size="sm" />
    <div class="row" data-wrap>
      <b class="wrap-anywhere" safe>
        {nameOf(comment.by)}
      </b>
      <small class="muted">
        <Time at={comment.createdAt} zone={place.zone} />
        {comment.resolvedAt ? ' · Resolved' : ''}
      </small>
      {canResolve ? (
        <Button
          label={comment.resolvedAt ? 'Reopen' : 'Resolve'}
          size="sm"
          variant="ghost"
          hx-put={`/api/posts/${comment.postId}/comments/${comment.id}`}
          hx-vals={JSON.stringify({ resolved: comment.resolvedAt === null })}
          hx-swap="none"
          data-refresh
        />
      ) : null}
    </div>
    {comment.quote ? (
      <blockquote class="muted wrap-anywhere" safe>
        {comment.quote}
      </blockquote>
    ) : null}
    <p class="prose wrap-anywhere" safe>
      {comment.text}
    </p>
  </div>
)

const CommentForm = ({ postId, sharedWithGuests }: Pick<CommentsProps, 'postId' | 'sharedWithGuests'>) => (
  <Form hx-post={`/api/posts/${postId}/comments`} data-refresh>
    <kept-input hidden />
    <div class="row" data-wrap>
      <mention-field
        class="grow field"
        data-post={postId}
        data-completion-styles={assetUrl('css/screens/completions.css')}
      >
        <input
          class="input"
          name="text"
          id={`text-${postId}`}
          aria-label="Comment"
          placeholder="Comment or @mention"
          maxlength={5000}
          autocomplete="off"
          required
        />
      </mention-field>
      <Button label="Comment" type="submit" />
    </div>
    {sharedWithGuests ? <small class="muted">Guests with a link can see comments.</small> : null}
  </Form>
)
