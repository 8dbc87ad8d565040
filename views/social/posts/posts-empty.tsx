import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import type { IconName } from '#views/ui/icon.tsx'
import { FirstSteps, type FirstStepsProps } from '../first-steps.tsx'
import { isNarrowed, postsHref, type PostsFilter } from './posts-filters.tsx'

interface PostsEmptyProps {
  filter: PostsFilter
  canCreate: boolean
  /** While the organization has no post. */
  steps?: FirstStepsProps | null
}

const words: Record<NonNullable<PostsFilter['status']> | 'all', { icon: IconName; title: string; text: string }> = {
  all: {
    icon: 'pen-line',
    title: 'No posts yet',
    text: 'Your drafts, scheduled and published posts will appear here.',
  },
  draft: { icon: 'circle-dashed', title: 'No drafts', text: 'Drafts you save appear here.' },
  scheduled: { icon: 'clock', title: 'No scheduled posts', text: 'Scheduled posts appear here.' },
  published: { icon: 'send', title: 'No published posts', text: 'Published posts appear here.' },
  failed: {
    icon: 'circle-check',
    title: 'No failed posts',
    text: 'Posts that couldn’t be published appear here, with the reason and how to fix it.',
  },
}

export const PostsEmpty = ({ filter, canCreate, steps }: PostsEmptyProps) => {
  if (isNarrowed(filter)) return <NothingFound filter={filter} />
  return (
    <>
      {steps ? <FirstSteps {...steps} /> : null}
      <Empty {...words[filter.status ?? 'all']}>
        {filter.status === 'failed' ? (
          <ButtonLink label="View scheduled posts" href={postsHref({ brandId: filter.brandId, status: 'scheduled' })} />
        ) : null}
        {canCreate ? (
          <ButtonLink
            label="Create post"
            icon="pen-line"
            variant="primary"
            href={`/workspace/posts/new?brandId=${filter.brandId}`}
          />
        ) : null}
      </Empty>
    </>
  )
}

const NothingFound = ({ filter: { brandId, status } }: Pick<PostsEmptyProps, 'filter'>) => (
  <Empty icon="search" title="No matching posts" text="Try fewer filters.">
    <ButtonLink label="Clear filters" href={postsHref({ brandId, status })} />
  </Empty>
)
