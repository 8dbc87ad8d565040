import type { Post } from '#social/types'

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

export function postsHref(filter: PostsFilter, more: Record<string, string | undefined> = {}): string {
  const set = Object.entries({ ...filter, ...more }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return `/workspace/posts?${new URLSearchParams(set)}`
}
