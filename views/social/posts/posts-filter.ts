import type { Post } from '#social/types'
import { listHref } from '#views/ui/lists.tsx'

export interface PostsFilter {
  brandId: string
  status?: Post['status']
  q?: string
  provider?: Post['provider']
  accountId?: string
  tag?: string
  authorId?: string
  /** Days as `2026-11-21`, both included. */
  from?: string
  to?: string
}

export const isNarrowed = ({ q, provider, accountId, tag, authorId, from, to }: PostsFilter): boolean =>
  Boolean(q ?? provider ?? accountId ?? tag ?? authorId ?? from ?? to)

export const postsHref = (filter: PostsFilter, more: Record<string, string | undefined> = {}): string =>
  listHref('/workspace/posts', { ...filter, ...more })
