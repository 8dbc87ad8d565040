import type { FeedItem } from '#social/types'
import { Avatar, Badge, NetworkMark } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { accountName, excerpt, networkNames, postHref, type Place } from '../posts/post-text.ts'
import { PostSettings } from '../posts/post-settings.tsx'
import { Shots, shotsOf } from '../posts/shots.tsx'
import { Changes } from './changes.tsx'
import { Comments } from './comments.tsx'
import { DecideForm } from './decide-form.tsx'
import type { Discussion } from './discussion.ts'
import { describeReviewStatus, plannedTime } from './review-text.ts'

export type Discussions = ReadonlyMap<string, Discussion>

interface ReviewCardProps {
  /** The posts of one submission or thread, or a single one. */
  items: readonly FeedItem[]
  /** Open comments by post. */
  discussions: Discussions
  place: Place
}

export const ReviewCard = ({ items, discussions, place }: ReviewCardProps) => {
  const [first] = items
  if (!first) return <></>
  const { post } = first
  const badge = describeReviewStatus(worstOf(items).review)
  const titleId = `review-${post.id}-title`
  return (
    <article class="card review" id={`review-${post.id}`} aria-labelledby={titleId}>
      <header>
        <Avatar name={post.authorName ?? 'Deleted account'} seed={post.authorId} size="lg" />
        <div class="grow">
          <h2 class="wrap-anywhere" id={titleId}>
            <a href={postHref(post)} safe>
              {excerpt(post.text, 60) || 'Post without text'}
            </a>
          </h2>
          <small class="muted">
            <span safe>{`${post.authorName ?? 'Deleted account'} · edited `}</span>
            <Time at={post.updatedAt} zone={place.zone} />
            <span safe>{` · ${plannedTime(post, place)}`}</span>
          </small>
        </div>
        <Badge label={badge.label} tone={badge.tone} />
      </header>
      <div class="body stack">
        <Contents items={items} place={place} />
        <CommentsOf items={items} discussions={discussions} place={place} />
      </div>
      <footer>
        <DecideForm posts={items.map((item) => item.post)} can={first.can} />
      </footer>
    </article>
  )
}

interface ContentsProps {
  items: readonly FeedItem[]
  place: Place
}

/** With a tab per account, where there are several: the arrow keys move between them, without scripts. */
const Contents = ({ items, place }: ContentsProps) => {
  const accounts = [...Map.groupBy(items, ({ post }) => `${post.provider} ${post.accountName}`).values()]
  if (accounts.length < 2) return <ContentList items={items} place={place} />
  return (
    <div class="network-tabs" role="group" aria-label="Networks">
      {accounts.map((ofAccount, at) => (
        <>
          <Tab items={ofAccount} name={`network-${items[0]?.post.id}`} isFirst={at === 0} />
          <div class="stack">
            <ContentList items={ofAccount} place={place} />
          </div>
        </>
      ))}
    </div>
  )
}

const ContentList = ({ items, place }: ContentsProps) => (
  <>
    {items.map((item) => (
      <Content item={item} place={place} />
    ))}
  </>
)

interface TabProps {
  /** Of one account. */
  items: readonly FeedItem[]
  name: string
  isFirst: boolean
}

const Tab = ({ items: [first, ...others], name, isFirst }: TabProps) => {
  if (!first) return <></>
  const { id, provider } = first.post
  const isChanged = [first, ...others].some(({ changes }) => changes.length > 0)
  return (
    <label>
      <input class="visually-hidden" type="radio" name={name} id={`${name}-${id}`} value={id} checked={isFirst} />
      <NetworkMark network={provider} />
      <span safe>{networkNames[provider]}</span>
      {isChanged ? <small class="muted">changed</small> : null}
    </label>
  )
}

/** What still needs a decision comes first. */
const worstOf = (items: readonly FeedItem[]): FeedItem => {
  const [first] = items.toSorted((one, other) => rank(one) - rank(other))
  if (!first) throw new Error('A card without posts')
  return first
}

const rank = ({ review }: FeedItem): number =>
  review.state === 'changes_requested' ? 0 : review.state === 'approved' ? 2 : 1

const Content = ({ item: { post, review, changes, lastApproval }, place }: { item: FeedItem; place: Place }) => (
  <div role="group" aria-label={networkNames[post.provider]}>
    <small class="row">
      <NetworkMark network={post.provider} />
      <span class="wrap-anywhere" safe>
        {`${networkNames[post.provider]} · ${accountName(post.provider, post.accountName)}`}
      </span>
      {lastApproval && changes.length === 0 ? <span class="muted">unchanged since its approval</span> : null}
    </small>
    {lastApproval && changes.length > 0 ? (
      <Changes changes={changes} lastApproval={lastApproval} place={place} network={networkNames[post.provider]} />
    ) : (
      <div class="version">
        <p class="prose wrap-anywhere" safe>
          {post.text}
        </p>
        {post.firstComment ? (
          <p class="prose muted wrap-anywhere" safe>
            {`First comment: ${post.firstComment}`}
          </p>
        ) : null}
      </div>
    )}
    <PostSettings {...post} linkPreviewImage={post.status === 'published' ? null : review.needed === 0} />
    <Shots images={shotsOf(post)} />
  </div>
)

const CommentsOf = ({ items, discussions, place }: ReviewCardProps) => (
  <>
    {items.map(({ post, sharedWithGuests, can }) => (
      <div role="group" aria-label={items.length > 1 ? `Comments on ${networkNames[post.provider]}` : 'Comments'}>
        {items.length > 1 ? <small safe>{networkNames[post.provider]}</small> : null}
        <Comments
          {...(discussions.get(post.id) ?? { comments: [], older: null })}
          postId={post.id}
          place={place}
          canComment={can.comment}
          sharedWithGuests={sharedWithGuests}
        />
      </div>
    ))}
  </>
)
