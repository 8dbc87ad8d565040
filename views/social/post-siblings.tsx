import { NetworkMark } from '#views/ui/network.tsx'
import { Status } from '#views/ui/status.tsx'
import { excerpt, networkNames, postHref, type Place, type PostLine } from './line.ts'
import { stateOf, whyOf } from './state.ts'

interface PostSiblingsProps {
  title: string
  note: string
  lines: PostLine[]
  /** The post whose page this is. */
  current: string
  place: Place
}

/** The posts that belong together: of one submission, or of one thread. */
export const PostSiblings = ({ title, note, lines, current, place }: PostSiblingsProps) => (
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
          <Sibling line={line} isCurrent={line.post.id === current} place={place} />
        ))}
      </ul>
    </div>
  </section>
)

const Sibling = ({
  line: { post, account },
  isCurrent,
  place,
}: {
  line: PostLine
  isCurrent: boolean
  place: Place
}) => (
  <li>
    <NetworkMark network={post.provider} label={networkNames[post.provider]} />
    <span class="grow">
      {isCurrent ? (
        <b class="clamp" aria-current="true" safe>
          {excerpt(post.text)}
        </b>
      ) : (
        <a class="row-link clamp" href={postHref(post)} safe>
          {excerpt(post.text)}
        </a>
      )}
      <small class="muted" safe>
        {isCurrent ? 'This post' : (whyOf(post) ?? account ?? 'No account')}
      </small>
    </span>
    <Status state={stateOf(post, place.now)} />
  </li>
)
