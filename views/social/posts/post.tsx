import type { Attempt, ListedPost, PostCorrection, PostDetails } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Menu } from '#views/ui/overlays.tsx'
import { Status } from '#views/ui/marks.tsx'
import { timeText } from '#views/ui/time.tsx'
import { ReviewPanel, type ReviewPanelProps } from '../review/review-panel.tsx'
import { InviteGuest } from '#views/social/guests/invite-guest.tsx'
import { actionsOf, PostActions, PostDialogs } from './post-actions.tsx'
import { PostAttempts } from './post-attempts.tsx'
import { PostComment } from './post-comment.tsx'
import { PostCorrections } from './post-corrections.tsx'
import { PostFailure } from './post-failure.tsx'
import { PostReadiness } from './post-readiness.tsx'
import { PostSchedule } from './post-schedule.tsx'
import { PostSiblings } from './post-siblings.tsx'
import { PostSummary } from './post-summary.tsx'
import { editHref, excerpt, networkNames, type Place, postsTopic, stateOf, newTab } from './post-text.ts'
import { PostWaiting } from './post-waiting.tsx'
import { postsHref } from './posts-filters.tsx'

export interface PostPageProps {
  post: PostDetails
  place: Place
  attempts: Attempt[]
  corrections: PostCorrection[]
  thread: ListedPost[]
  group: ListedPost[]
  review: ReviewPanelProps
  /** Whether the reader can create review links. */
  canInvite: boolean
}

export const PostView = (props: PostPageProps) => (
  <div
    id="post"
    hx-get={`/api/posts/${props.post.id}`}
    data-live={postsTopic(props.post.brandId)}
    hx-trigger="live"
    hx-target="this"
    hx-select="#post"
    hx-swap="outerMorph"
  >
    <PostHeader {...props} />
    <div class="page split">
      <div class="stack" style="--gap: 2rem">
        <PostNotice {...props} />
        <PostReadiness {...props} />
        <PostComment {...props} />
        <ReviewPanel {...props.review} />
        <PostCorrections {...props} />
        <PostAttempts {...props} />
        <Together {...props} />
      </div>
      <PostSummary post={props.post} place={props.place} />
    </div>
  </div>
)

/** Replaces a post that was deleted while its page was open. */
export const DeletedPost = () => (
  <>
    <title>Post deleted · Atrium</title>
    <div id="post" class="page">
      <Empty icon="trash-2" heading="h1" title="This post was deleted" text="It can’t be restored.">
        <ButtonLink label="View all posts" href="/workspace/posts" />
      </Empty>
    </div>
  </>
)

const PostNotice = (props: PostPageProps) => {
  if (props.post.status === 'failed') return <PostFailure {...props} />
  if (props.post.withdrawnAt) return <Withdrawn {...props} />
  if (props.post.waitingFor) return <PostWaiting {...props} />
  return isPlanned(props.post) ? (
    <PostSchedule post={props.post} place={props.place} missing={props.post.approvals.missing} />
  ) : (
    <></>
  )
}

const Withdrawn = ({ post, place }: PostPageProps) => (
  <Notice
    role="status"
    title={`Deleted from ${networkNames[post.provider]}`}
    text={`Deleted on ${timeText(post.withdrawnAt ?? '', place.zone, 'full')}. To publish it again, duplicate it.`}
  />
)

const Together = ({ post, thread, group, place }: PostPageProps) => {
  // Of each thread its first post.
  const submitted = group.filter(({ position }) => position === 0)
  const networks = new Set(submitted.map(({ provider }) => provider)).size
  return (
    <>
      {thread.length > 1 ? (
        <PostSiblings
          title="Thread"
          note={`${thread.length} posts`}
          posts={thread}
          by="text"
          current={post.id}
          place={place}
        />
      ) : null}
      {submitted.length > 1 ? (
        <PostSiblings
          title="Same post on other accounts"
          note={`${submitted.length} posts, ${networks === 1 ? '1 network' : `${networks} networks`}`}
          posts={submitted}
          by="account"
          current={post.id}
          place={place}
        />
      ) : null}
    </>
  )
}

const PostHeader = (props: PostPageProps) => {
  const { post } = props
  return (
    <header class="page-header">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href={postsHref({ brandId: post.brandId })}>Posts</a>
        <Icon name="chevron-right" />
        <a href={postsHref({ brandId: post.brandId, status: post.status })} safe>
          {tabNames[post.status]}
        </a>
      </nav>
      <h1 class="wrap-anywhere" safe>
        {excerpt(post.text, 60)}
      </h1>
      <Status state={stateOf(post)} />
      {post.can.duplicate || props.canInvite ? <Actions {...props} /> : null}
    </header>
  )
}

const Actions = (props: PostPageProps) => {
  const { post } = props
  const actions = actionsOf(post)
  const shownElsewhere = ['edit', 'open', ...(isPlanned(post) ? ['publish-now', 'unschedule'] : [])]
  return (
    <div class="actions">
      {actions.includes('edit') ? <ButtonLink label="Edit" icon="pen-line" href={editHref(post)} /> : null}
      {actions.includes('open') ? (
        <ButtonLink
          label={`Open on ${networkNames[post.provider]}`}
          icon="arrow-up-right"
          href={post.permalink ?? ''}
          {...newTab}
        />
      ) : null}
      {props.canInvite ? <InviteGuest brandId={post.brandId} postIds={together(props)} /> : null}
      {post.can.duplicate ? <MoreActions post={post} shownElsewhere={shownElsewhere} /> : null}
    </div>
  )
}

/** A guest reviews all parts of a thread and all posts of a submission. */
const together = ({ post, thread, group }: PostPageProps): string[] => [
  ...new Set([post, ...group, ...thread].map(({ id }) => id)),
]

const MoreActions = ({ post, shownElsewhere }: Pick<PostPageProps, 'post'> & { shownElsewhere: string[] }) => (
  <>
    <Button label="More actions" icon="ellipsis" iconOnly popovertarget="post-menu" />
    <Menu id="post-menu">
      <PostActions
        post={post}
        actions={actionsOf(post).filter((action) => !shownElsewhere.includes(action))}
        menu="post-menu"
        shownAs="page"
      />
    </Menu>
    <PostDialogs post={post} shownAs="page" />
  </>
)

/** Whether its notice says when it is published. */
const isPlanned = ({ status, isDue, waitingFor }: ListedPost): boolean =>
  status === 'draft' || (status === 'scheduled' && !isDue && !waitingFor)

const tabNames = { draft: 'Drafts', scheduled: 'Scheduled', published: 'Published', failed: 'Failed' }
