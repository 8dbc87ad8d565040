import type { PostCounts } from '#social/types'
import { Badge } from '#views/ui/marks.tsx'
import { formatCount } from '../brands/brand-counts.ts'
import { postsHref, type PostsFilter } from './posts-filters.tsx'

const tabs = [
  ['All', undefined],
  ['Drafts', 'draft'],
  ['Scheduled', 'scheduled'],
  ['Published', 'published'],
  ['Failed', 'failed'],
] as const

export const PostsTabs = ({ filter, counts }: { filter: PostsFilter; counts: PostCounts }) => (
  <nav class="tabs" id="post-tabs" aria-label="Status">
    {tabs.map(([label, status]) => (
      <a href={postsHref({ ...filter, status })} aria-current={filter.status === status ? 'page' : undefined}>
        {label}
        <Badge
          label={formatCount(status ? counts[status] : total(counts))}
          tone={status === 'failed' && counts.failed > 0 ? 'danger' : undefined}
          count
        />
      </a>
    ))}
  </nav>
)

/** The number of posts in all states, as `counts` has them: 1,001 when there are more than 1,000. */
export const total = (counts: PostCounts): number =>
  Math.min(
    1_001,
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  )
