import type { ListedPost, ListedUnsavedPost, PostCounts, PostFilterOptions, PostList } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { nextHref } from '#views/ui/lists.tsx'
import type { FirstStepsProps } from '../first-steps.tsx'
import { PostsEmpty } from './posts-empty.tsx'
import { isNarrowed, postsHref, type PostsFilter, PostsFilters } from './posts-filters.tsx'
import { PostsSelection, ShortcutsDialog } from './posts-selection.tsx'
import { PostsTable, type MorePosts } from './posts-table.tsx'
import { PostsTabs, total } from './posts-tabs.tsx'
import { formatCount } from '../brands/brand-counts.ts'
import type { Place } from './post-text.ts'
import { UnsavedPosts } from './unsaved-posts.tsx'

export interface PostsProps {
  filter: PostsFilter
  place: Place
  counts: PostCounts
  options: PostFilterOptions
  canCreate: boolean
  needsAttention: ListedPost[]
  posts: ListedPost[]
  /** Of the person, on the first page of drafts. */
  unsaved: ListedUnsavedPost[]
  /** While the organization has no post. */
  steps: FirstStepsProps | null
  shown: number
  address: string
  longer: string | null
  next: { cursor: string; past?: string; thread?: string } | null
}

export const Posts = (props: PostsProps) => (
  <>
    <header class="page-header">
      <h1>Posts</h1>
      <div class="actions wide-only">
        <Button
          label="Keyboard shortcuts"
          icon="circle-help"
          iconOnly
          variant="ghost"
          commandfor="shortcuts"
          command="show-modal"
        />
      </div>
    </header>
    <PostsTabs filter={props.filter} counts={props.counts} />
    <div class="page" style="--measure: none">
      <div class="stack">
        {total(props.counts) > 0 || isNarrowed(props.filter) ? (
          <PostsFilters filter={props.filter} options={props.options} />
        ) : null}
        <UnsavedPosts items={props.unsaved} />
        <div class="bleed">
          <PostsTable
            place={props.place}
            needsAttention={props.needsAttention}
            posts={props.posts}
            address={props.address}
            more={moreOf(props)}
            empty={<PostsEmpty filter={props.filter} canCreate={props.canCreate} steps={props.steps} />}
          />
        </div>
        {props.canCreate ? <PostsSelection place={props.place} /> : null}
        <ShortcutsDialog />
      </div>
    </div>
  </>
)

function moreOf({ needsAttention, posts, filter, counts, shown, next, longer }: PostsProps): MorePosts | null {
  const count = needsAttention.length + posts.length
  if (count === 0 && !next) return null
  return {
    label: count === 0 ? 'Search older posts' : 'More posts',
    summary: summaryOf(count, { filter, counts, shown }),
    next: next ? postsHref(filter, { ...next, shown: String(shown + count) }) : undefined,
    longer: longer ?? undefined,
  }
}

function summaryOf(count: number, { filter, counts, shown }: Pick<PostsProps, 'filter' | 'counts' | 'shown'>): string {
  const range = shown > 0 ? `${shown + 1}–${shown + count}` : String(count)
  if (isNarrowed(filter)) return count === 0 ? 'No matches so far' : `Showing ${range}`
  const all = filter.status ? counts[filter.status] : total(counts)
  return `Showing ${range} of ${formatCount(Math.max(all, shown + count))}`
}

interface PostsFragmentProps {
  list: PostList
  brandId: string | undefined
  place: Place
  url: URL
}

export const PostsFragment = ({ list: { items, nextCursor, can }, brandId, place, url }: PostsFragmentProps) => (
  <PostsTable
    place={place}
    posts={items}
    address={url.pathname + url.search}
    more={
      nextCursor ? { label: 'More posts', summary: `Showing ${items.length}`, next: nextHref(url, nextCursor) } : null
    }
    empty={brandId ? <PostsEmpty filter={{ brandId }} canCreate={can.create} /> : <></>}
  />
)
