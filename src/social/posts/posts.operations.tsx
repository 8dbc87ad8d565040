import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { accountsOf, Targets } from '#views/social/posts/composer-targets.tsx'
import { PostsFilters } from '#views/social/posts/posts-filters.tsx'
import { PostsFragment } from '#views/social/posts/posts.tsx'
import { PostsTabs } from '#views/social/posts/posts-tabs.tsx'
import { PostCounts, PostFilterOptions, PostList, PostTargetList } from '../contract.ts'
import { pageFilterOf, placeOfList } from '../http/place.ts'
import { countByStatus } from './counts.ts'
import { readFilterOptions } from './filter-options.ts'
import { PostCountFilter, PostFilter, PostOptionsFilter } from './filter.ts'
import { readPostList } from './present.ts'
import { listTargets } from './targets.ts'

const OfBrand = z.object({ brandId: Id })

export const listPosts = operation({
  route: 'GET /api/posts',
  summary: 'List posts',
  permission: 'posts:read',
  machine: true,
  input: PostFilter,
  output: PostList,
  problems: { too_many_searches: 429, search_busy: 503 },
  run: (call) => readPostList(call, call.input),
  view: async (list, call) => (
    <PostsFragment
      list={list}
      brandId={call.input.brandId}
      place={await placeOfList(call, call.input.brandId)}
      url={call.request.url}
    />
  ),
})

export const getPostCounts = operation({
  route: 'GET /api/posts/counts',
  summary: 'Get post counts by status',
  permission: 'posts:read',
  machine: true,
  input: PostCountFilter,
  output: PostCounts,
  problems: { too_many_searches: 429, search_busy: 503 },
  run: ({ input, actor, db, signal }) => countByStatus(db, actor, input, signal),
  view: async (counts, call) => <PostsTabs filter={await pageFilterOf(call, call.input)} counts={counts} />,
})

export const getPostFilterOptions = operation({
  route: 'GET /api/posts/filter-options',
  summary: 'Get the values to filter posts by',
  permission: 'posts:read',
  input: PostOptionsFilter,
  output: PostFilterOptions,
  run: (call) => readFilterOptions(call, call.input.brandId),
  view: async (options, call) => <PostsFilters filter={await pageFilterOf(call, call.input)} options={options} />,
})

export const listPostTargets = operation({
  route: 'GET /api/posts/targets',
  summary: 'List accounts that you can publish to',
  permission: 'posts:read',
  machine: true,
  input: OfBrand,
  output: PostTargetList,
  run: async (call) => ({ ...(await listTargets(call, call.input.brandId)), nextCursor: null }),
  view: async ({ items, can }, call) => {
    const { brand } = await placeOfList(call, call.input.brandId)
    return <Targets accounts={accountsOf(items)} brand={brand} isFixed={false} canConnect={can.connect} />
  },
})
