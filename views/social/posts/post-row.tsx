import type { ListedPost } from '#social/types'
import { Avatar, NetworkMark } from '#views/ui/marks.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { RowMenu } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { nearTime, accountName, editHref, excerpt, networkNames, postHref, type Place, reasonOf } from './post-text.ts'
import { PostStatus } from './post-readiness.tsx'
import { rowDialogs, rowMenu } from './post-actions.tsx'
import { fileHref } from './shots.tsx'
import { urgentPost, type PostRowContent } from './thread-rows.ts'

interface PostRowProps extends PostRowContent {
  place: Place
  /** The time names the day: the row isn't listed under its day. */
  isDated?: boolean
}

export const isSelectable = ({ can }: ListedPost): boolean => can.delete

export const PostRow = ({ post, parts, place, isDated }: PostRowProps) => (
  <tr id={`post-${post.id}`} data-edit={post.can.update ? editHref(post) : undefined}>
    <td data-at="lead" class="box">
      <Selection post={post} parts={parts} />
    </td>
    <td data-at="title">
      <Title post={post} parts={parts} />
    </td>
    <td class="wide-only">
      <span class="row">
        <NetworkMark network={post.provider} label={networkNames[post.provider]} />
        <span class="account-name truncate small" safe>
          {accountName(post.provider, post.accountName)}
        </span>
      </span>
    </td>
    <td data-at="sub">
      <span class="row">
        <span class="narrow-only">
          <NetworkMark network={post.provider} label={networkNames[post.provider]} />
        </span>
        <PostStatus post={urgentPost({ post, parts })} />
      </span>
      <Reason reason={reasonOf(urgentPost({ post, parts }), place)} />
    </td>
    <td data-at="time">
      <When post={post} place={place} isDated={isDated} />
    </td>
    <td class="who wide-only">
      {post.authorName ? <Avatar name={post.authorName} seed={post.authorId} labelled /> : null}
    </td>
    <td data-at="menu">{post.can.duplicate ? <Actions post={post} /> : null}</td>
  </tr>
)

const Title = ({ post, parts }: PostRowContent) => {
  const [first] = post.media
  const words = (
    <span class="grow">
      <a class="row-link clamp" href={postHref(post)} safe>
        {excerpt(post.text)}
      </a>
      <ThreadAndTags post={post} parts={parts} />
    </span>
  )
  if (!first) return words
  return (
    <span class="row">
      <image-preview>
        <img class="thumb" src={fileHref(first.mediaId, 'thumb')} alt="" loading="lazy" />
      </image-preview>
      {words}
    </span>
  )
}

/** Selects every part of a thread that can be changed. */
const Selection = ({ post, parts }: PostRowContent) => {
  const ids = parts.filter(isSelectable).map(({ id }) => id)
  if (ids.length === 0) return <></>
  return <input type="checkbox" name="ids" value={ids.join(',')} aria-label={`Select: ${excerpt(post.text, 40)}`} />
}

const ThreadAndTags = ({ post, parts }: PostRowContent) => {
  const isThread = post.threadSize !== null && post.threadSize > 1
  if (!isThread && post.tags.length === 0) return <></>
  const thread =
    parts.length > 1 ? `Thread of ${post.threadSize}` : `Thread, ${post.position + 1} of ${post.threadSize}`
  const words = [isThread ? thread : '', ...post.tags].filter(Boolean)
  return (
    <small class="row muted">
      {isThread ? <Icon name="list-tree" /> : null}
      <span class="truncate" safe>
        {words.join(' · ')}
      </span>
    </small>
  )
}

const Reason = ({ reason }: { reason: string | null }) =>
  reason ? (
    <span class="why" safe>
      {reason}
    </span>
  ) : (
    <></>
  )

const When = ({ post, place, isDated }: Omit<PostRowProps, 'parts'>) => {
  if (post.scheduledAt === null) return <>No time</>
  if (!isDated) return <Time at={post.scheduledAt} zone={place.zone} form="time" />
  return (
    <time datetime={post.scheduledAt} safe>
      {nearTime(post.scheduledAt, place)}
    </time>
  )
}

const Actions = ({ post }: Pick<PostRowProps, 'post'>) => (
  <>
    <RowMenu id={rowMenu(post)} label={`More actions: ${excerpt(post.text, 40)}`} from={`/api/posts/${post.id}`} />
    {post.can.withdraw ? <div id={rowDialogs(post)} /> : null}
  </>
)
