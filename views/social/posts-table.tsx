import { MoreRows } from '#views/ui/more-rows.tsx'
import { zoneName } from '#views/ui/time.tsx'
import { groupsOf, type Group } from './days.ts'
import type { Place, PostLine } from './line.ts'
import { PostRow } from './post-row.tsx'
import { PostsEmpty } from './posts-empty.tsx'
import { isNarrowed, postsHref, type PostsFilter } from './posts-filter.ts'
import { total, type Counts } from './posts-tabs.tsx'
import { postsTopic, refreshTrigger } from './state.ts'

export interface PostsTableProps {
  brand: string
  filter: PostsFilter
  place: Place
  /** Failed posts, first on the first page of all posts. */
  needsYou: PostLine[]
  lines: PostLine[]
  counts: Counts
  /** How many posts the pages before showed. */
  shown: number
  /** The day with which the page before ended. */
  after?: string
  /** This page's own address, and where the next one begins. */
  address: string
  next: { cursor: string; past?: string } | null
}

/** The list: failed posts first, then day by day. */
export const PostsTable = (props: PostsTableProps) => (
  <table class="table posts" data-list>
    <caption class="visually-hidden" safe>
      {`Posts of ${props.brand}, times in ${props.place.zone}`}
    </caption>
    <Columns place={props.place} />
    <Rows {...props} />
    <More {...props} />
  </table>
)

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
          <span class="visually-hidden">Acts</span>
        </th>
      </tr>
    </thead>
  </>
)

/** One page of rows, which asks for itself again when a post in it moves on. */
const Rows = (props: PostsTableProps) => {
  const { needsYou, lines, place, filter, shown, address } = props
  const id = `posts-from-${shown}`
  return (
    <tbody
      id={id}
      hx-get={address}
      data-live={postsTopic(filter.brandId)}
      hx-trigger={refreshTrigger}
      hx-target="this"
      hx-select={`#${id}`}
      hx-select-oob="#post-tabs:outerMorph"
      hx-swap="outerMorph"
    >
      {needsYou.length > 0 ? <NeedsYou lines={needsYou} place={place} /> : null}
      <Days groups={groupsOf(lines, place)} {...props} />
      {needsYou.length + lines.length === 0 ? (
        <tr data-group>
          <td colspan={6}>
            <PostsEmpty filter={filter} mayWrite={place.mayWrite} />
          </td>
        </tr>
      ) : null}
    </tbody>
  )
}

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

const Days = ({ groups, place, after }: PostsTableProps & { groups: Group[] }) => (
  <>
    {groups.map(({ key, title, note, lines }) => (
      <>
        {key === after ? null : <GroupHead title={title} note={note} />}
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

/** Stands after the last row; loading more replaces it by the next page's rows and their own foot. */
const More = (props: PostsTableProps) => {
  const { needsYou, lines, filter, shown, place } = props
  const seen = shown + needsYou.length + lines.length
  if (seen === 0) return <></>
  const day = groupsOf(lines, place).at(-1)?.key ?? ''
  const next = props.next ? postsHref(filter, { ...props.next, shown: String(seen), after: day }) : undefined
  return <MoreRows label="More posts" summary={summaryOf(props, seen)} next={next} columns={6} />
}

function summaryOf({ filter, counts }: PostsTableProps, seen: number): string {
  if (isNarrowed(filter)) return `Showing ${seen}`
  const all = filter.status ? counts[filter.status] : total(counts)
  return `Showing ${Math.min(seen, all)} of ${all}`
}
