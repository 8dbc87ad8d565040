import type { Attempt } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Menu } from '#views/ui/menu.tsx'
import { Notice } from '#views/ui/notice.tsx'
import { Status } from '#views/ui/status.tsx'
import { timeText } from '#views/ui/time.tsx'
import { editHref, excerpt, networkNames, type Place, type PostLine } from './line.ts'
import { actsOf, DeleteDialog, PostActs, WithdrawDialog } from './post-acts.tsx'
import { PostAttempts } from './post-attempts.tsx'
import { type Characters, PostFacts } from './post-facts.tsx'
import { PostFailure } from './post-failure.tsx'
import { PostPreview } from './post-preview.tsx'
import { PostSiblings } from './post-siblings.tsx'
import { PostWaiting } from './post-waiting.tsx'
import { postsHref } from './posts-filter.ts'
import { shotsOf } from './shots.tsx'
import { postsTopic, stateOf } from './state.ts'

export interface PostPageProps {
  line: PostLine
  brand: { id: string; name: string }
  place: Place
  attempts: Attempt[]
  /** Every part of its thread in order; empty outside threads. */
  thread: PostLine[]
  /** Every post of its submission; empty when it stands alone. */
  group: PostLine[]
  accountUrl: string | null
  characters: Characters
  /** The page's own address. */
  address: string
}

/** One post: how it stands, what happened, and what can be done. */
export const PostPage = (props: PostPageProps) => (
  <div
    id="post"
    hx-get={props.address}
    data-live={postsTopic(props.brand.id)}
    hx-trigger="live"
    hx-target="this"
    hx-select="#post"
    hx-swap="outerMorph"
  >
    <PostHeader {...props} />
    <div class="page split">
      <div class="stack" style="--gap: 2rem">
        <PostNotice {...props} />
        <PostAttempts {...props} />
        <Together {...props} />
      </div>
      <aside class="stack" style="--gap: 1.5rem" aria-label="Preview and facts">
        <PostPreview
          network={props.line.post.provider}
          brand={props.brand}
          account={props.line.account}
          text={props.line.post.text}
          images={shotsOf(props.line.post)}
          when={whenOf(props)}
        />
        <PostFacts {...props} />
      </aside>
    </div>
  </div>
)

/** Replaces a post that was deleted while its page was open. */
export const DeletedPost = () => (
  <>
    <title>Post deleted · Atrium</title>
    <div id="post" class="page">
      <Empty icon="trash-2" heading="h1" title="This post was deleted" text="It can’t be restored.">
        <ButtonLink label="See all posts" href="/workspace/posts" />
      </Empty>
    </div>
  </>
)

const PostNotice = (props: PostPageProps) => {
  if (props.line.post.status === 'failed') return <PostFailure {...props} />
  if (props.line.post.withdrawnAt) return <Withdrawn {...props} />
  return props.line.post.waitingFor ? <PostWaiting {...props} /> : <></>
}

const Withdrawn = ({ line: { post }, place }: PostPageProps) => (
  <Notice
    role="status"
    title={`Deleted from ${networkNames[post.provider]}`}
    text={`It was deleted there on ${timeText(post.withdrawnAt ?? '', place.zone, 'full')}. Duplicate it to publish it again.`}
  />
)

const Together = ({ thread, group, line, place }: PostPageProps) => {
  const networks = new Set(group.map(({ post }) => post.provider)).size
  return (
    <>
      {thread.length > 1 ? (
        <PostSiblings
          title="Thread"
          note={`${thread.length} parts`}
          lines={thread}
          by="text"
          current={line.post.id}
          place={place}
        />
      ) : null}
      {group.length > 1 ? (
        <PostSiblings
          title="Posts of this submission"
          note={`${group.length} posts, ${networks === 1 ? '1 network' : `${networks} networks`}`}
          lines={group}
          by="account"
          current={line.post.id}
          place={place}
        />
      ) : null}
    </>
  )
}

const PostHeader = ({ line: { post }, place, brand }: PostPageProps) => {
  const acts = actsOf(post, place.now)
  return (
    <header class="page-header">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href={postsHref({ brandId: brand.id })}>Posts</a>
        <Icon name="chevron-right" />
        <a href={postsHref({ brandId: brand.id, status: post.status })} safe>
          {tabNames[post.status]}
        </a>
      </nav>
      <h1 class="wrap-anywhere" safe>
        {excerpt(post.text, 60)}
      </h1>
      <Status state={stateOf(post, place.now)} />
      {place.mayWrite ? (
        <div class="actions">
          {acts.includes('edit') ? <ButtonLink label="Edit" icon="pen-line" href={editHref(post)} /> : null}
          {post.permalink && !post.withdrawnAt ? (
            <ButtonLink label={`Open on ${networkNames[post.provider]}`} icon="arrow-up-right" href={post.permalink} />
          ) : null}
          <Button label="More actions" icon="ellipsis" iconOnly popovertarget="post-menu" />
          <Menu id="post-menu">
            <PostActs post={post} acts={acts.filter((act) => act !== 'edit' && act !== 'open')} menu="post-menu" />
          </Menu>
          {acts.includes('delete') ? <DeleteDialog post={post} /> : null}
          {acts.includes('withdraw') ? <WithdrawDialog post={post} /> : null}
        </div>
      ) : null}
    </header>
  )
}

const tabNames = { draft: 'Drafts', scheduled: 'Scheduled', published: 'Published', failed: 'Failed' }

const whenOf = ({ line: { post }, place }: PostPageProps): string => {
  const at = post.publishedAt ?? post.scheduledAt
  return at ? timeText(at, place.zone, 'full') : 'Draft'
}
