import type { Post } from '#social/types'
import { Badge } from '#views/ui/badge.tsx'
import { postsHref, type PostsFilter } from './posts-filter.ts'

export type Counts = Record<Post['status'], number>

const tabs = [
  ['All', undefined],
  ['Drafts', 'draft'],
  ['Scheduled', 'scheduled'],
  ['Published', 'published'],
  ['Failed', 'failed'],
] as const

/** The list by status; the other filters stay. */
export const PostsTabs = ({ filter, counts }: { filter: PostsFilter; counts: Counts }) => (
  <nav class="tabs" id="post-tabs" aria-label="Status">
    {tabs.map(([label, status]) => (
      <a href={postsHref({ ...filter, status })} aria-current={filter.status === status ? 'page' : undefined}>
        {label}
        <Badge
          label={status ? counts[status] : total(counts)}
          tone={status === 'failed' && counts.failed > 0 ? 'danger' : undefined}
          count
        />
      </a>
    ))}
  </nav>
)

/** How many posts there are in all. */
export const total = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)
