import type { Feed, FeedItem } from '#social/types'
import { counted } from '#lib/text.ts'
import { Empty } from '#views/ui/feedback.tsx'
import { Pager } from '#views/ui/lists.tsx'
import { addressOf, liveAt } from '#views/ui/live.ts'
import { InviteGuest } from '../guests/invite-guest.tsx'
import { postsTopic, type Place } from '../posts/post-text.ts'
import { type Discussions, ReviewCard } from './review-card.tsx'
import { describePolicy } from './review-text.ts'

export const feedTabs = ['me', 'all', 'done'] as const
export type FeedTab = (typeof feedTabs)[number]

const tabs = {
  me: { name: 'For me', filter: { state: 'pending', mine: 'true' }, empty: 'Nothing to review' },
  all: { name: 'All', filter: { state: 'all', mine: undefined }, empty: 'No posts in review' },
  done: { name: 'Done', filter: { state: 'approved', mine: undefined }, empty: 'No approved posts yet' },
} as const

export const filterOf = (tab: FeedTab) => tabs[tab].filter

export interface FeedPageProps {
  tab: FeedTab
  /** Of the shown page. */
  cursor: string | undefined
  feed: Feed
  discussions: Discussions
  place: Place
}

export const FeedPage = ({ tab, cursor, feed, discussions, place }: FeedPageProps) => (
  <>
    <header class="page-header">
      <h1>
        Review
        <small class="muted" safe>
          {waitingWords(feed.waiting)}
        </small>
      </h1>
      <div class="actions">
        <nav class="segments" aria-label="Show">
          {feedTabs.map((one) => (
            <a
              href={addressOf('/workspace/feed', { brandId: place.brand.id, show: one })}
              aria-current={one === tab ? 'page' : undefined}
            >
              {tabs[one].name}
            </a>
          ))}
        </nav>
        {decidable(feed).length > 0 ? <InviteGuest brandId={place.brand.id} postIds={decidable(feed)} /> : null}
      </div>
    </header>
    <div class="page split" style="--aside: 17rem">
      <FeedFragment
        feed={feed}
        discussions={discussions}
        place={place}
        filter={{ brandId: place.brand.id, ...filterOf(tab), cursor }}
      />
      <aside class="stack" aria-label="Policy">
        <section class="section">
          <h2 class="wrap-anywhere" safe>{`Policy of ${place.brand.name}`}</h2>
          {feed.policy ? (
            <p class="small muted" safe>
              {describePolicy(feed.policy)}
            </p>
          ) : null}
          {feed.can.updatePolicy ? (
            <a class="link small" href={`/workspace/brands/${place.brand.id}#review-policy`}>
              Change
            </a>
          ) : null}
        </section>
      </aside>
    </div>
  </>
)

/** Of the shown posts, those that the reader can decide on. */
const decidable = ({ items }: Feed): string[] => items.flatMap(({ can, post }) => (can.decide ? [post.id] : []))

const waitingWords = (waiting: number): string =>
  waiting === 0 ? 'Nothing to review' : waiting > 1000 ? 'More than 1,000 to review' : `${waiting} to review`

type FeedFilter = Record<'brandId' | 'state' | 'mine', string | undefined> & {
  cursor?: string | undefined
  limit?: number | undefined
}

/** Undefined for a filter of programs. */
const tabOf = ({ state, mine }: FeedFilter): FeedTab | undefined =>
  feedTabs.find((tab) => filterOf(tab).state === state && filterOf(tab).mine === mine)

interface FeedFragmentProps {
  feed: Feed
  discussions: Discussions
  place: Place
  filter: FeedFilter
}

/** Reloads itself when a post of the brand changes. */
export const FeedFragment = ({ feed, discussions, place, filter }: FeedFragmentProps) => {
  const tab = tabOf(filter)
  return (
    <div class="stack" id="feed" {...liveAt(addressOf('/api/feed', filter), postsTopic(place.brand.id))}>
      {feed.items.length === 0 ? (
        <Empty
          icon="badge-check"
          title={tab ? tabs[tab].empty : 'Nothing to review'}
          text="Posts for which a review was requested are listed here."
        />
      ) : null}
      {groupItems(feed.items).map((items) => (
        <ReviewCard items={items} discussions={discussions} place={place} />
      ))}
      {feed.nextCursor ? (
        <Pager
          label="More posts"
          summary={`Showing ${counted(feed.items.length, 'post')}`}
          next={addressOf('/workspace/feed', { brandId: filter.brandId, show: tab, cursor: feed.nextCursor })}
          action="Older"
        />
      ) : null}
    </div>
  )
}

/** Those of one submission or thread are decided together, where they have the same state. */
const groupItems = (items: readonly FeedItem[]): FeedItem[][] => [
  ...Map.groupBy(
    items,
    ({ post, review }) => `${post.groupId ?? post.threadId ?? post.id} ${review.state ?? ''}`,
  ).values(),
]
