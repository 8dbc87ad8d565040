import type { ListedPost } from '#social/types'
import { currentFormats } from '#lib/jsx/jsx-runtime.ts'
import { brandHref } from '#views/social/brands/brand-switcher.tsx'
import { addressOf, liveAt } from '#views/ui/live.ts'
import { NetworkMark } from '#views/ui/marks.tsx'
import { Time, zoneName } from '#views/ui/time.tsx'
import { PostStatus } from '../posts/post-readiness.tsx'
import { accountName, excerpt, networkNames, postHref, postsTopic, reasonOf, type Place } from '../posts/post-text.ts'
import { postsHref } from '../posts/posts-filters.tsx'
import { Attention } from './attention.tsx'
import type { HomeProps } from './props.ts'
import { Results } from './results.tsx'
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
    <ToReview brandId={props.dashboard.brandId} />
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
    <Results dashboard={dashboard} />
    <Published posts={dashboard.published} place={place} />
  </div>
)

/** Loaded once the page is shown; people decide in place. */
const ToReview = ({ brandId }: { brandId: string }) => (
  <section class="page stack" style="--measure: 60rem" aria-labelledby="home-review">
    <h2 id="home-review">To review</h2>
    <div
      hx-get={addressOf('/api/feed', { brandId, state: 'pending', mine: 'true', limit: 5 })}
      hx-trigger="load"
      hx-swap="outerHTML"
    />
  </section>
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
      <Agenda posts={posts} place={place} />
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
      <PostItems posts={posts} place={place} />
    </section>
  ) : (
    <></>
  )

/** Such as `1 published, 2 scheduled`. */
function countByState(posts: readonly ListedPost[]): string {
  const counts = Map.groupBy(posts, ({ status }) => status)
  return [...counts].map(([status, { length }]) => `${length} ${status}`).join(', ')
}

const plannedAt = ({ publishedAt, scheduledAt, createdAt }: ListedPost): string =>
  publishedAt ?? scheduledAt ?? createdAt

const minuteMs = 60_000
const toMinute = (at: Date): Date => new Date(Math.floor(at.getTime() / minuteMs) * minuteMs)

/** The day by time, with a line at the current time, which the page moves. */
const Agenda = ({ posts, place }: PostsProps) => {
  const { language, hourCycle } = currentFormats()
  const byTime = posts.toSorted((one, other) => Date.parse(plannedAt(one)) - Date.parse(plannedAt(other)))
  const isPast = (post: ListedPost) => Date.parse(plannedAt(post)) <= place.now.getTime()
  return (
    <day-agenda data-zone={place.zone} data-language={language} data-cycle={hourCycle}>
      <ol class="agenda" role="list">
        {byTime.filter(isPast).map((post) => (
          <AgendaItem post={post} place={place} />
        ))}
        <li data-now>
          <Time at={toMinute(place.now)} zone={place.zone} form="time" />
          <hr aria-label="Now" />
        </li>
        {byTime
          .filter((post) => !isPast(post))
          .map((post) => (
            <AgendaItem post={post} place={place} />
          ))}
      </ol>
    </day-agenda>
  )
}

const AgendaItem = ({ post, place }: { post: ListedPost; place: Place }) => (
  <li>
    <Time at={plannedAt(post)} zone={place.zone} form="time" />
    <NetworkMark network={post.provider} label={networkNames[post.provider]} />
    <span>
      <a class="row-link clamp" href={postHref(post)} safe>
        {excerpt(post.text) || 'Post without text'}
      </a>
      <small class="muted wrap-anywhere" safe>
        {reasonOf(post, place) ?? accountName(post.provider, post.accountName)}
      </small>
    </span>
    <PostStatus post={post} />
  </li>
)

const PostItems = ({ posts, place }: PostsProps) => (
  <ul class="list" data-links>
    {posts.map((post) => (
      <li>
        <NetworkMark network={post.provider} label={networkNames[post.provider]} />
        <span class="grow">
          <a class="row-link clamp" href={postHref(post)} safe>
            {excerpt(post.text) || 'Post without text'}
          </a>
          <small class="muted wrap-anywhere">
            <Time at={plannedAt(post)} zone={place.zone} />
            <span safe>{` · ${reasonOf(post, place) ?? accountName(post.provider, post.accountName)}`}</span>
          </small>
        </span>
        <PostStatus post={post} />
      </li>
    ))}
  </ul>
)
