import { Avatar } from '#views/ui/avatar.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { RowMenu } from '#views/ui/menu.tsx'
import { NetworkMark } from '#views/ui/network.tsx'
import { Status } from '#views/ui/status.tsx'
import { Time } from '#views/ui/time.tsx'
import { nearTime } from './days.ts'
import { accountName, excerpt, networkNames, postHref, type Place, type PostLine } from './line.ts'
import { actsOf, DeleteDialog, PostActs, WithdrawDialog } from './post-acts.tsx'
import { fileHref } from './shots.tsx'
import { stateOf, whyOf } from './state.ts'

interface PostRowProps {
  line: PostLine
  place: Place
  /** The row doesn't stand under its day: its time names the day. */
  dated?: boolean
}

/** A post in the list. */
export const PostRow = ({ line, place, dated }: PostRowProps) => (
  <tr id={`post-${line.post.id}`}>
    <td data-at="title">
      <span class="row">
        <Thumb post={line.post} />
        <span class="grow">
          <a class="row-link clamp" href={postHref(line.post)} safe>
            {excerpt(line.post.text)}
          </a>
          <Under line={line} />
        </span>
      </span>
    </td>
    <td class="wide-only">
      <span class="row">
        <NetworkMark network={line.post.provider} label={networkNames[line.post.provider]} />
        <span class="account-name truncate small" safe>
          {accountName(line.post.provider, line.account)}
        </span>
      </span>
    </td>
    <td data-at="sub">
      <span class="row">
        <span class="narrow-only">
          <NetworkMark network={line.post.provider} label={networkNames[line.post.provider]} />
        </span>
        <Status state={stateOf(line.post, place.now)} />
      </span>
      <Why why={whyOf(line.post, place)} />
    </td>
    <td data-at="time">
      <When line={line} place={place} dated={dated} />
    </td>
    <td class="who wide-only">
      {line.author ? <Avatar name={line.author} seed={line.post.authorId} labelled /> : null}
    </td>
    <td data-at="menu">{place.mayWrite ? <Acts line={line} place={place} /> : null}</td>
  </tr>
)

/** The first image of a post. */
const Thumb = ({ post: { media } }: Pick<PostLine, 'post'>) => {
  const [first] = media
  return first ? <img class="thumb" src={fileHref(first.mediaId, 'thumb')} alt="" loading="lazy" /> : <></>
}

const Under = ({ line: { post, parts } }: Pick<PostRowProps, 'line'>) => {
  const isThread = parts !== null && parts > 1
  if (!isThread && post.tags.length === 0) return <></>
  const words = [isThread ? `Thread, ${post.position + 1} of ${parts}` : '', ...post.tags].filter(Boolean)
  return (
    <small class="row muted">
      {isThread ? <Icon name="list-tree" /> : null}
      <span class="truncate" safe>
        {words.join(' · ')}
      </span>
    </small>
  )
}

const Why = ({ why }: { why: string | null }) =>
  why ? (
    <span class="why" safe>
      {why}
    </span>
  ) : (
    <></>
  )

const When = ({ line: { post }, place, dated }: PostRowProps) => {
  if (post.scheduledAt === null) return <>No time</>
  if (!dated) return <Time at={post.scheduledAt} zone={place.zone} form="time" />
  return (
    <time datetime={post.scheduledAt} safe>
      {nearTime(post.scheduledAt, place)}
    </time>
  )
}

const Acts = ({ line: { post }, place }: PostRowProps) => {
  const menu = `menu-${post.id}`
  const acts = actsOf(post, place.now)
  return (
    <>
      <RowMenu id={menu} label={`More actions: ${excerpt(post.text, 40)}`}>
        <PostActs post={post} acts={acts} menu={menu} />
      </RowMenu>
      {acts.includes('delete') ? <DeleteDialog post={post} inList /> : null}
      {acts.includes('withdraw') ? <WithdrawDialog post={post} /> : null}
    </>
  )
}
