import { Pager } from '#views/ui/pager.tsx'
import { zoneName } from '#views/ui/time.tsx'
import { groupsOf, type Group } from './days.ts'
import type { Place, PostLine } from './line.ts'
import { PostRow } from './post-row.tsx'
import { PostsEmpty } from './posts-empty.tsx'
import { isNarrowed, postsHref, type PostsFilter } from './posts-filter.ts'
import { total, type Counts } from './posts-tabs.tsx'
import { postsTopic } from './state.ts'

export interface PostsTableProps {
  brand: string
  filter: PostsFilter
  place: Place
  /** Failed posts, first on the first page of all posts. */
  needsYou: PostLine[]
  lines: PostLine[]
  counts: Counts
  /** Number of posts on the previous pages. */
  shown: number
  /** This page's own address. */
  address: string
  /** The same page with more rows, as long as one page can hold them. */
  longer: string | null
  /** Where the next page begins. */
  next: { cursor: string; past?: string } | null
}

/** The list: failed posts first, then day by day. It reloads as a whole, including its foot. */
export const PostsTable = (props: PostsTableProps) => (
  <table
    class="table posts"
    id="posts"
    data-list
    hx-get={props.address}
    data-live={postsTopic(props.filter.brandId)}
    hx-trigger="live"
    hx-target="this"
    {...swapsList}
  >
    <caption class="visually-hidden" safe>
      {`Posts of ${props.brand}, times in ${props.place.zone}`}
    </caption>
    <Columns place={props.place} />
    <Rows {...props} />
    <More {...props} />
  </table>
)

/** How a response replaces the list and the counts above it. */
const swapsList = {
  'hx-select': '#posts',
  'hx-select-oob': '#post-tabs:outerMorph',
  'hx-swap': 'outerMorph',
} as const

const Columns = ({ place }: Pick<PostsTableProps, 'place'>) => (
  <>
    <colgroup>
      <col />
      <col class="c-net" />
      <col class="c-status" />
      <col class="c-when" />
      <col class="c-who" />
      <col class="c-menu" />
    </colgroup>
    <thead>
      <tr>
        <th scope="col">Post</th>
        <th scope="col">Account</th>
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

const Rows = ({ needsYou, lines, place, filter, next }: PostsTableProps) => (
  <tbody>
    {needsYou.length > 0 ? <NeedsYou lines={needsYou} place={place} /> : null}
    <Days groups={groupsOf(lines, place)} place={place} />
    {needsYou.length + lines.length === 0 && !next ? (
      <tr data-group>
        <td colspan={6}>
          <PostsEmpty filter={filter} mayWrite={place.mayWrite} />
        </td>
      </tr>
    ) : null}
  </tbody>
)

const NeedsYou = ({ lines, place }: { lines: PostLine[]; place: Place }) => (
  <>
    <GroupHead title="Needs you" note={String(lines.length)} />
    <>
      {lines.map((line) => (
        <PostRow line={line} place={place} dated />
      ))}
    </>
  </>
)

const Days = ({ groups, place }: { groups: Group[]; place: Place }) => (
  <>
    {groups.map(({ title, note, lines }) => (
      <>
        <GroupHead title={title} note={note} />
        <>
          {lines.map((line) => (
            <PostRow line={line} place={place} />
          ))}
        </>
      </>
    ))}
  </>
)

const GroupHead = ({ title, note }: { title: string; note: string | null }) => (
  <tr data-group>
    <th colspan={6} scope="colgroup">
      <span safe>{title}</span>
      {note ? (
        <small class="muted" safe>
          {note}
        </small>
      ) : null}
    </th>
  </tr>
)

/** The foot: loads more rows into this page, or leads to the next one where it is full. */
const More = (props: PostsTableProps) => {
  const { needsYou, lines, filter, shown, next, longer } = props
  const count = needsYou.length + lines.length
  if (count === 0 && !next) return <></>
  const grows = longer ? { 'hx-get': longer, 'hx-target': 'closest table', ...swapsList } : {}
  return (
    <tbody class="more">
      <tr data-group>
        <td colspan={6}>
          <Pager
            label={count === 0 ? 'Search older posts' : 'More posts'}
            summary={summaryOf(props, count)}
            next={next ? postsHref(filter, { ...next, shown: String(shown + count) }) : undefined}
            {...grows}
          />
        </td>
      </tr>
    </tbody>
  )
}

function summaryOf({ filter, counts, shown }: PostsTableProps, count: number): string {
  const range = shown > 0 ? `${shown + 1}–${shown + count}` : String(count)
  if (isNarrowed(filter)) return count === 0 ? 'No matches so far' : `Showing ${range}`
  const all = filter.status ? counts[filter.status] : total(counts)
  return `Showing ${range} of ${Math.max(all, shown + count)}`
}
