import type { ListedPost } from '#social/types'
import { NetworkMark } from '#views/ui/marks.tsx'
import { timeText } from '#views/ui/time.tsx'
import { PostStatus } from './post-readiness.tsx'
import { accountName, excerpt, networkNames, postHref, type Place, reasonOf } from './post-text.ts'

interface PostSiblingsProps {
  title: string
  note: string
  posts: ListedPost[]
  by: 'text' | 'account'
  current: string
  place: Place
}

interface SiblingProps extends Pick<PostSiblingsProps, 'by' | 'place'> {
  post: ListedPost
  isCurrent: boolean
}

export const PostSiblings = ({ title, note, posts, by, current, place }: PostSiblingsProps) => (
  <section class="section">
    <header>
      <h2 safe>{title}</h2>
      <small class="muted" safe>
        {note}
      </small>
    </header>
    <div class="card">
      <ul class="list" data-links style="--pad: 1rem">
        {posts.map((post) => (
          <Sibling post={post} by={by} isCurrent={post.id === current} place={place} />
        ))}
      </ul>
    </div>
  </section>
)

const Sibling = ({ post, by, isCurrent, place }: SiblingProps) => (
  <li>
    <NetworkMark network={post.provider} label={networkNames[post.provider]} />
    <span class="grow">
      {isCurrent ? (
        <b class="clamp" aria-current="true" safe>
          {nameOf(post, by)}
        </b>
      ) : (
        <a class="row-link clamp" href={postHref(post)} safe>
          {nameOf(post, by)}
        </a>
      )}
      <small class="muted" safe>
        {isCurrent ? 'This post' : (reasonOf(post, place) ?? timeOf(post, place))}
      </small>
    </span>
    <PostStatus post={post} />
  </li>
)

const nameOf = (post: ListedPost, by: SiblingProps['by']): string =>
  by === 'text' ? excerpt(post.text) : accountName(post.provider, post.accountName)

const timeOf = (post: ListedPost, { zone }: Place): string =>
  post.scheduledAt ? timeText(post.scheduledAt, zone, 'full') : 'No time'
