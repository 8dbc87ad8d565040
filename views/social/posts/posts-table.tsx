import type { Children } from '@kitajs/html'
import type { ListedPost } from '#social/types'
import { Pager } from '#views/ui/lists.tsx'
import { zoneName } from '#views/ui/time.tsx'
import { groupByDay, type Group, type Place, postsTopic } from './post-text.ts'
import { isSelectable, PostRow } from './post-row.tsx'
import { collapseThreads } from './thread-rows.ts'

export interface PostsTableProps {
  place: Place
  needsAttention?: readonly ListedPost[]
  posts: readonly ListedPost[]
  address: string
  more: MorePosts | null
  empty: Children
}

export interface MorePosts {
  label: string
  summary: string
  next?: string
  /** The same page with more rows, as long as one page can hold them. */
  longer?: string
}

export const PostsTable = (props: PostsTableProps) => (
  <table
    class="table posts"
    id="posts"
    data-list
    hx-get={props.address}
    data-live={props.place.brand.id ? postsTopic(props.place.brand.id) : undefined}
    hx-trigger="live"
    hx-target="this"
    {...swapsList}
  >
    <caption class="visually-hidden" safe>
      {captionOf(props.place)}
    </caption>
    <Columns
      place={props.place}
      canSelect={[...(props.needsAttention ?? []), ...props.posts].some(isSelectable)}
      isWhole={!props.more?.next && !props.more?.longer}
    />
    <Rows {...props} />
    {props.more ? <More {...props.more} /> : null}
  </table>
)

const swapsList = {
  'hx-select': '#posts',
  'hx-select-oob': '#post-tabs:outerMorph',
  'hx-swap': 'outerMorph',
} as const

const captionOf = ({ brand, zone }: Place): string =>
  brand.name ? `Posts of ${brand.name}, times in ${zone}` : `Posts, times in ${zone}`

interface ColumnsProps extends Pick<PostsTableProps, 'place'> {
  canSelect: boolean
  /** Rows that are loaded later can be selectable. */
  isWhole: boolean
}

const Columns = ({ place, canSelect, isWhole }: ColumnsProps) => (
  <>
    <colgroup>
      <col class={canSelect || !isWhole ? 'c-check' : 'c-none'} />
      <col />
      <col class="c-net" />
      <col class="c-status" />
      <col class="c-when" />
      <col class="c-who" />
      <col class="c-menu" />
    </colgroup>
    <thead>
      <tr>
        <th scope="col" class="box">
          {canSelect ? <input type="checkbox" aria-label="Select all posts" data-select-all hidden /> : null}
        </th>
        <th scope="col">Post</th>
        <th scope="col" class="account">
          Account
        </th>
        <th scope="col">Status</th>
        <th scope="col" safe>{`Time (${zoneName(place.now, place.zone)})`}</th>
        <th scope="col" class="who">
          <span class="visually-hidden">Author</span>
        </th>
        <th scope="col">
          <span class="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
  </>
)

const Rows = ({ needsAttention = [], posts, place, more, empty }: PostsTableProps) => (
  <tbody>
    {needsAttention.length > 0 ? <NeedsAttention posts={needsAttention} place={place} /> : null}
    <Days
      groups={groupByDay(
        posts.filter((post) => !isTimeless(post)),
        place,
      )}
      place={place}
    />
    <Drafts posts={posts.filter(isTimeless).toSorted(newestFirst)} place={place} />
    {needsAttention.length + posts.length === 0 && !more ? (
      <tr data-group>
        <td colspan={7}>{empty}</td>
      </tr>
    ) : null}
  </tbody>
)

const NeedsAttention = ({ posts, place }: { posts: readonly ListedPost[]; place: Place }) => (
  <>
    <GroupHead title="Needs attention" note={String(posts.length)} />
    <>
      {posts.map((post) => (
        <PostRow post={post} parts={[post]} place={place} isDated />
      ))}
    </>
  </>
)

const Days = ({ groups, place }: { groups: Group[]; place: Place }) => (
  <>
    {groups.map(({ title, note, posts }) => (
      <>
        <GroupHead title={title} note={note} />
        <>
          {collapseThreads(posts).map((row) => (
            <PostRow {...row} place={place} />
          ))}
        </>
      </>
    ))}
  </>
)

const newestFirst = (a: ListedPost, b: ListedPost): number => b.createdAt.localeCompare(a.createdAt)

const isTimeless = ({ scheduledAt }: ListedPost): boolean => scheduledAt === null

const Drafts = ({ posts, place }: { posts: readonly ListedPost[]; place: Place }) =>
  posts.length > 0 ? (
    <>
      <GroupHead title="Drafts" note="Not scheduled" />
      <>
        {collapseThreads(posts).map((row) => (
          <PostRow {...row} place={place} />
        ))}
      </>
    </>
  ) : (
    <></>
  )

const GroupHead = ({ title, note }: { title: string; note: string | null }) => (
  <tr data-group>
    <th colspan={7} scope="colgroup">
      <span safe>{title}</span>
      {note ? (
        <small class="muted" safe>
          {note}
        </small>
      ) : null}
    </th>
  </tr>
)

/** Leads to the next page where this one is full. */
const More = ({ label, summary, next, longer }: MorePosts) => (
  <tbody class="more">
    <tr data-group>
      <td colspan={7}>
        <Pager
          label={label}
          summary={summary}
          next={next}
          {...(longer ? { 'hx-get': longer, 'hx-target': 'closest table', ...swapsList } : {})}
        />
      </td>
    </tr>
  </tbody>
)
