import type { ListedPost } from '#social/types'
import { brandHref } from '#views/social/brands/brand-switcher.tsx'
import { liveAt } from '#views/ui/live.ts'
import { NetworkMark } from '#views/ui/marks.tsx'
import { Time, zoneName } from '#views/ui/time.tsx'
import { PostStatus } from '../posts/post-readiness.tsx'
import { accountName, excerpt, networkNames, postHref, postsTopic, reasonOf, type Place } from '../posts/post-text.ts'
import { postsHref } from '../posts/posts-filters.tsx'
import { Attention } from './attention.tsx'
import type { HomeProps } from './props.ts'
import { WeekAhead } from './week-ahead.tsx'

export const Home = (props: HomeProps) => (
  <>
    <header class="page-header">
      <h1>
        <Time at={props.place.now} zone={props.place.zone} form="date" />
        <small class="muted" safe>{`${props.place.zone} (${zoneName(props.place.now, props.place.zone)})`}</small>
      </h1>
    </header>
    <HomeFragment {...props} />
  </>
)

export const HomeFragment = ({ dashboard, place }: HomeProps) => (
  <div
    class="page stack"
    id="social-home"
    style="--measure: 60rem; --gap: 2rem"
    {...liveAt(`/api/dashboard?app=platform-socialize&brandId=${dashboard.brandId}`, postsTopic(dashboard.brandId))}
  >
    <Attention dashboard={dashboard} place={place} />
    <Today posts={dashboard.today} place={place} />
    <WeekAhead dashboard={dashboard} place={place} />
    <Published posts={dashboard.published} place={place} />
  </div>
)

interface PostsProps {
  posts: ListedPost[]
  place: Place
}

const Today = ({ posts, place }: PostsProps) => (
  <section class="section" aria-labelledby="home-today">
    <header>
      <h2 id="home-today">Today</h2>
      {posts.length > 0 ? <small safe>{countByState(posts)}</small> : null}
    </header>
    {posts.length > 0 ? (
      <PostItems posts={posts} place={place} form="time" />
    ) : (
      <p class="muted">
        Nothing is planned for today. <a href={brandHref('/workspace/posts/new', place.brand)}>Write a post</a>
      </p>
    )}
  </section>
)

const Published = ({ posts, place }: PostsProps) =>
  posts.length > 0 ? (
    <section class="section" aria-labelledby="home-published">
      <header>
        <h2 id="home-published">Recently published</h2>
        <a class="link small" href={postsHref({ brandId: place.brand.id, status: 'published' })}>
          All
        </a>
      </header>
      <PostItems posts={posts} place={place} form="full" />
    </section>
  ) : (
    <></>
  )

/** Such as `1 published, 2 scheduled`. */
function countByState(posts: readonly ListedPost[]): string {
  const counts = Map.groupBy(posts, ({ status }) => status)
  return [...counts]
    .map(([status, { length }]) => `${length} ${status === 'draft' && length > 1 ? 'drafts' : status}`)
    .join(', ')
}

const PostItems = ({ posts, place, form }: PostsProps & { form: 'time' | 'full' }) => (
  <ul class="list" data-links>
    {posts.map((post) => (
      <li>
        <NetworkMark network={post.provider} label={networkNames[post.provider]} />
        <span class="grow">
          <a class="row-link clamp" href={postHref(post)} safe>
            {excerpt(post.text) || 'Post without text'}
          </a>
          <small class="muted wrap-anywhere">
            <Time at={post.publishedAt ?? post.scheduledAt ?? post.createdAt} zone={place.zone} form={form} />
            <span safe>{` · ${reasonOf(post, place) ?? accountName(post.provider, post.accountName)}`}</span>
          </small>
        </span>
        <PostStatus post={post} />
      </li>
    ))}
  </ul>
)
