import { NetworkMark } from '#views/ui/network.tsx'
import { Status } from '#views/ui/status.tsx'
import { timeText } from '#views/ui/time.tsx'
import { accountName, excerpt, networkNames, postHref, type Place, type PostLine } from './line.ts'
import { stateOf, whyOf } from './state.ts'

interface PostSiblingsProps {
  title: string
  note: string
  lines: PostLine[]
  /** Whether their texts or their accounts tell them apart. */
  by: 'text' | 'account'
  /** The post whose page this is. */
  current: string
  place: Place
}

interface SiblingProps extends Pick<PostSiblingsProps, 'by' | 'place'> {
  line: PostLine
  isCurrent: boolean
}

/** The posts that belong together: of one submission, or of one thread. */
export const PostSiblings = ({ title, note, lines, by, current, place }: PostSiblingsProps) => (
  <section class="section">
    <header>
      <h2 safe>{title}</h2>
      <small class="muted" safe>
        {note}
      </small>
    </header>
    <div class="card">
      <ul class="list" data-links style="--pad: 1rem">
        {lines.map((line) => (
          <Sibling line={line} by={by} isCurrent={line.post.id === current} place={place} />
        ))}
      </ul>
    </div>
  </section>
)

const Sibling = ({ line, by, isCurrent, place }: SiblingProps) => (
  <li>
    <NetworkMark network={line.post.provider} label={networkNames[line.post.provider]} />
    <span class="grow">
      {isCurrent ? (
        <b class="clamp" aria-current="true" safe>
          {nameOf(line, by)}
        </b>
      ) : (
        <a class="row-link clamp" href={postHref(line.post)} safe>
          {nameOf(line, by)}
        </a>
      )}
      <small class="muted" safe>
        {isCurrent ? 'This post' : (whyOf(line.post, place) ?? dueOf(line, place))}
      </small>
    </span>
    <Status state={stateOf(line.post, place.now)} />
  </li>
)

/** What tells the posts apart. */
const nameOf = ({ post, account }: PostLine, by: SiblingProps['by']): string =>
  by === 'text' ? excerpt(post.text) : accountName(post.provider, account)

const dueOf = ({ post }: PostLine, { zone }: Place): string =>
  post.scheduledAt ? timeText(post.scheduledAt, zone, 'full') : 'No time'
