import { PostsFilters } from './posts-filters.tsx'
import { PostsTable, type PostsTableProps } from './posts-table.tsx'
import { PostsTabs } from './posts-tabs.tsx'
import type { Post } from '#social/types'

export type PostsProps = PostsTableProps & { networks: Post['provider'][] }

/** All posts of a brand. */
export const Posts = ({ networks, ...list }: PostsProps) => (
  <>
    <header class="page-header">
      <h1>Posts</h1>
    </header>
    <PostsTabs filter={list.filter} counts={list.counts} />
    <div class="page" style="--measure: none">
      <div class="stack">
        <PostsFilters filter={list.filter} networks={networks} />
        <div class="bleed">
          <PostsTable {...list} />
        </div>
      </div>
    </div>
  </>
)
