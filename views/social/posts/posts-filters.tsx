import type { Post } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { networkNames } from './post-text.ts'
import { isNarrowed, postsHref, type PostsFilter } from './posts-filter.ts'

interface PostsFiltersProps {
  filter: PostsFilter
  networks: Post['provider'][]
}

export const PostsFilters = ({ filter, networks }: PostsFiltersProps) => (
  <form
    class="filters"
    role="search"
    aria-label="Filter posts"
    action="/workspace/posts"
    hx-get="/workspace/posts"
    hx-target="#main"
    hx-swap="innerMorph"
    hx-push-url="true"
    hx-sync="this:replace"
    hx-trigger="input changed delay:300ms from:#q, change target:'select, [type=date]' delay:300ms, submit"
  >
    <Fixed filter={filter} />
    <label class="input">
      <Icon name="search" />
      <input id="q" type="search" name="q" placeholder="Search posts" aria-label="Search posts" value={filter.q} />
    </label>
    <select class="input" name="provider" aria-label="Network">
      <option value="">All networks</option>
      <>
        {networks.map((network) => (
          <option value={network} selected={network === filter.provider} safe>
            {networkNames[network]}
          </option>
        ))}
      </>
    </select>
    <label class="input">
      <small class="muted">From</small>
      <input id="from" type="date" name="from" value={filter.from} />
    </label>
    <label class="input">
      <small class="muted">To</small>
      <input id="to" type="date" name="to" value={filter.to} />
    </label>
    <noscript>
      <Button label="Filter" type="submit" />
    </noscript>
    {isNarrowed(filter) ? <Clear filter={filter} /> : null}
  </form>
)

const Fixed = ({ filter: { brandId, status } }: Pick<PostsFiltersProps, 'filter'>) => (
  <>
    <input type="hidden" name="brandId" value={brandId} />
    {status ? <input type="hidden" name="status" value={status} /> : null}
  </>
)

const Clear = ({ filter: { brandId, status } }: Pick<PostsFiltersProps, 'filter'>) => (
  <a class="chip" data-dashed href={postsHref({ brandId, status })}>
    <Icon name="x" />
    Clear filters
  </a>
)
