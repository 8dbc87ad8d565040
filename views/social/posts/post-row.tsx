import type { ListedPost } from '#social/types'
import { Avatar, NetworkMark, Status } from '#views/ui/marks.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { RowMenu } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { nearTime, accountName, excerpt, networkNames, postHref, type Place, reasonOf, stateOf } from './post-text.ts'
import { rowDialogs, rowMenu } from './post-actions.tsx'
import { fileHref } from './shots.tsx'

interface PostRowProps {
  post: ListedPost
  place: Place
  /** The time names the day: the row isn't listed under its day. */
  isDated?: boolean
}

export const PostRow = ({ post, place, isDated }: PostRowProps) => (
  <tr id={`post-${post.id}`}>
    <td data-at="title">
      <span class="row">
        <Thumb post={post} />
        <span class="grow">
          <a class="row-link clamp" href={postHref(post)} safe>
            {excerpt(post.text)}
          </a>
          <ThreadAndTags post={post} />
        </span>
      </span>
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
        <Status state={stateOf(post)} />
      </span>
      <Reason reason={reasonOf(post, place)} />
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

const Thumb = ({ post: { media } }: Pick<PostRowProps, 'post'>) => {
  const [first] = media
  return first ? <img class="thumb" src={fileHref(first.mediaId, 'thumb')} alt="" loading="lazy" /> : <></>
}

const ThreadAndTags = ({ post }: Pick<PostRowProps, 'post'>) => {
  const isThread = post.threadSize !== null && post.threadSize > 1
  if (!isThread && post.tags.length === 0) return <></>
  const words = [isThread ? `Thread, ${post.position + 1} of ${post.threadSize}` : '', ...post.tags].filter(Boolean)
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

const When = ({ post, place, isDated }: PostRowProps) => {
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
