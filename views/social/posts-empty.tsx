import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import type { IconName } from '#views/ui/icon.tsx'
import { isNarrowed, postsHref, type PostsFilter } from './posts-filter.ts'

interface PostsEmptyProps {
  filter: PostsFilter
  mayWrite: boolean
}

const words: Record<NonNullable<PostsFilter['status']> | 'all', { icon: IconName; title: string; text: string }> = {
  all: { icon: 'pen-line', title: 'No posts yet', text: 'What you write for this brand is listed here, day by day.' },
  draft: { icon: 'circle-dashed', title: 'No drafts', text: 'A post that is saved without a time waits here for you.' },
  scheduled: {
    icon: 'clock',
    title: 'Nothing is scheduled',
    text: 'Posts with a time stand here until they are sent.',
  },
  published: {
    icon: 'send',
    title: 'Nothing is published yet',
    text: 'Posts appear here once their network took them.',
  },
  failed: {
    icon: 'circle-check',
    title: 'Nothing failed',
    text: 'Every post that was due is published or waits for a named reason. What goes wrong appears here, with what to do.',
  },
}

/** Stands where the list has nothing to show. */
export const PostsEmpty = ({ filter, mayWrite }: PostsEmptyProps) => {
  if (isNarrowed(filter)) return <NothingFound filter={filter} />
  return (
    <Empty {...words[filter.status ?? 'all']}>
      {filter.status === 'failed' ? (
        <ButtonLink label="See what is scheduled" href={postsHref({ brandId: filter.brandId, status: 'scheduled' })} />
      ) : null}
      {mayWrite ? (
        <ButtonLink
          label="Write a post"
          icon="pen-line"
          variant="primary"
          href={`/workspace/posts/new?brandId=${filter.brandId}`}
        />
      ) : null}
    </Empty>
  )
}

const NothingFound = ({ filter: { brandId, status } }: Pick<PostsEmptyProps, 'filter'>) => (
  <Empty icon="search" title="Nothing matches" text="No post has all of what you filter by.">
    <ButtonLink label="Clear filters" href={postsHref({ brandId, status })} />
  </Empty>
)
