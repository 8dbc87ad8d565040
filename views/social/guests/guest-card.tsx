import type { GuestComment, GuestMedia, GuestPost, OpenReview } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Fold } from '#views/ui/fold.tsx'
import { Form } from '#views/ui/form.tsx'
import { Avatar, Badge, Status } from '#views/ui/marks.tsx'
import { timeText } from '#views/ui/time.tsx'
import { PostPreview } from '#views/social/posts/post-preview.tsx'
import { PostSettings } from '#views/social/posts/post-settings.tsx'
import { networkNames } from '#views/social/posts/post-text.ts'
import type { Shot } from '#views/social/posts/shots.tsx'
import { Versions } from '../review/changes.tsx'
import { isDone, networksOf, openPosts, type ReviewGroup } from './review-groups.ts'

interface CardProps {
  group: ReviewGroup
  review: OpenReview
  token: string
}

export const GuestCard = (props: CardProps) => {
  const { group, review } = props
  const { first } = group
  return (
    <article class="card review" id={`post-${group.id}`} aria-labelledby={`title-${group.id}`}>
      <header>
        <Avatar name={first.author ?? 'Deleted account'} size="lg" />
        <div class="grow">
          <h2 class="wrap-anywhere" id={`title-${group.id}`} safe>
            {group.title}
          </h2>
          <small class="muted" safe>
            {aboutOf(group, review.brand.timeZone)}
          </small>
        </div>
        <span class="push">
          <State {...group} />
        </span>
      </header>
      {isDone(group) ? (
        <div class="body">
          <Fold summary="Show the post">
            <Content {...props} />
          </Fold>
        </div>
      ) : (
        <Content {...props} />
      )}
    </article>
  )
}

function aboutOf(group: ReviewGroup, zone: string): string {
  const { first } = group
  const own = first.decision
  const decided = own
    ? `You ${own.decision === 'approve' ? 'approved it' : 'requested changes'} on ${timeText(own.decidedAt, zone, 'date')} at ${timeText(own.decidedAt, zone, 'time')}.`
    : null
  if (group.state === 'published') {
    const at = first.publishedAt ?? first.scheduledAt
    const out = at ? `It went out on ${timeText(at, zone, 'date')} at ${timeText(at, zone, 'time')}.` : 'It went out.'
    return [decided, out].filter(Boolean).join(' ')
  }
  const at = first.scheduledAt
  const planned = at
    ? `${isDraft(first) ? 'planned for' : 'for'} ${timeText(at, zone, 'date')}, ${timeText(at, zone, 'time')}`
    : 'no time yet'
  const facts = [first.author, planned, networksOf(group)].filter(Boolean).join(' · ')
  return decided && isDone(group) ? `${facts}. ${decided}` : facts
}

const isDraft = ({ status }: GuestPost): boolean => status === 'draft'

const changedLabel = (posts: GuestPost[]): string =>
  wasApproved(posts) ? 'Changed since you approved it' : 'Changed since you requested it'

const State = ({ state, posts }: ReviewGroup) => {
  if (state === 'published') return <Status state="published" />
  if (state === 'approved') return <Badge label="You approved it" icon="check" tone="success" />
  if (state === 'changes_requested') return <Badge label="You requested changes" icon="undo-2" tone="warning" />
  if (state === 'changed') return <Badge label={changedLabel(posts)} icon="undo-2" tone="warning" />
  return <Badge label="New" />
}

const Content = ({ group, review, token }: CardProps) => {
  const zone = review.brand.timeZone
  const changed = group.posts.filter((post) => post.changed)
  const comments = group.posts.flatMap((post) => post.comments)
  const canRespond = openPosts(group).length > 0
  return (
    <>
      <div class="body stack">
        {changed.length > 0 ? <Changed posts={changed} zone={zone} /> : null}
        <div class="previews">
          {group.posts.map((post) => (
            <Preview post={post} review={review} token={token} />
          ))}
        </div>
        <Comments comments={comments} zone={zone} />
        <CommentForm post={group.first} token={token} />
      </div>
      {canRespond && review.canDecide ? <DecisionForm group={group} token={token} /> : null}
    </>
  )
}

const Changed = ({ posts, zone }: { posts: GuestPost[]; zone: string }) => (
  <>
    <Notice
      tone="warning"
      role="status"
      text={
        wasApproved(posts)
          ? 'The post has changed since you approved it, so your approval no longer counts. It needs a new one to go out.'
          : 'The post has changed since you requested changes.'
      }
    />
    <>
      {posts.map((post) => (
        <Since post={post} zone={zone} />
      ))}
    </>
  </>
)

const wasApproved = (posts: GuestPost[]): boolean => posts.some(({ changed }) => changed?.decision === 'approve')

const Since = ({ post: { changed, provider }, zone }: { post: GuestPost; zone: string }) =>
  changed ? (
    <Versions
      changes={changed.changes}
      before={`${changed.decision === 'approve' ? 'approved by you' : 'before'}, ${timeText(changed.decidedAt, zone, 'moment')}`}
      now={`Now, on ${networkNames[provider]}`}
    />
  ) : (
    <></>
  )

const Preview = ({ post, review, token }: { post: GuestPost; review: OpenReview; token: string }) => (
  <PostPreview
    network={post.provider}
    brand={review.brand}
    account={post.account}
    text={post.text}
    images={post.media.map((file) => shotOf(file, token))}
    when={post.scheduledAt ? timeText(post.scheduledAt, review.brand.timeZone, 'moment') : undefined}
  >
    {post.firstComment ? (
      <p class="small">
        <b>First comment: </b>
        <span safe>{post.firstComment}</span>
      </p>
    ) : null}
    <PostSettings {...post} />
  </PostPreview>
)

function shotOf({ mediaId, alt, playable }: GuestMedia, token: string): Shot {
  const path = `/api/review/${token}/media/${mediaId}`
  return { src: `${path}/preview`, alt, video: playable ? `${path}/web` : undefined }
}

const Comments = ({ comments, zone }: { comments: GuestComment[]; zone: string }) =>
  comments.length === 0 ? (
    <></>
  ) : (
    <div class="stack">
      {comments
        .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
        .map(({ by, text, createdAt }) => (
          <div class="comment">
            <Avatar name={by.name ?? 'Deleted account'} />
            <div class="head row">
              <b class="wrap-anywhere" safe>
                {by.kind === 'you' ? `${by.name} (you)` : (by.name ?? 'Deleted account')}
              </b>
              <small class="muted" safe>
                {timeText(createdAt, zone, 'moment')}
              </small>
            </div>
            <p class="prose wrap-anywhere" safe>
              {text}
            </p>
          </div>
        ))}
    </div>
  )

const swapsReview = { 'hx-target': '#review', 'hx-swap': 'outerMorph' } as const

const CommentForm = ({ post, token }: { post: GuestPost; token: string }) => (
  <Form class="say" hx-post={`/api/review/${token}/comments`} {...swapsReview}>
    <kept-input hidden />
    <input type="hidden" name="postId" value={post.id} />
    <label class="visually-hidden" for={`text-${post.id}`}>
      Comment
    </label>
    <input
      class="input"
      id={`text-${post.id}`}
      name="text"
      required
      maxlength="5000"
      autocomplete="off"
      placeholder="Comment (visible to the whole team)"
    />
    <Button label="Comment" type="submit" />
  </Form>
)

const DecisionForm = ({ group, token }: { group: ReviewGroup; token: string }) => (
  <Form class="decide" hx-post={`/api/review/${token}/decisions`} {...swapsReview}>
    <kept-input hidden />
    <>
      {openPosts(group).map(({ id, version }, at) => (
        <>
          <input type="hidden" name={`posts[${at}].id`} value={id} />
          <input type="hidden" name={`posts[${at}].version`} value={String(version)} />
        </>
      ))}
    </>
    <label class="visually-hidden" for={`comment-${group.id}`}>
      What should change
    </label>
    <input
      class="input"
      id={`comment-${group.id}`}
      name="comment"
      maxlength="5000"
      autocomplete="off"
      placeholder="What should change (optional)"
    />
    <span class="actions">
      <Button label="Request changes" type="submit" name="decision" value="request_changes" />
      <Button
        label={group.state === 'changed' ? 'Approve this version' : 'Approve'}
        icon="check"
        variant="primary"
        type="submit"
        name="decision"
        value="approve"
      />
    </span>
  </Form>
)
