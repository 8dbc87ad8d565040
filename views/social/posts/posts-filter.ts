import type { Post } from '#social/types'

/** The filter of the page of posts, as its URL has it. */
export interface PostsFilter {
  brandId: string
  status?: Post['status']
  q?: string
  provider?: Post['provider']
  /** Days as `2026-11-21`, both included. */
  from?: string
  to?: string
}

/** Whether anything but the status narrows the list. */
export const isNarrowed = ({ q, provider, from, to }: PostsFilter): boolean => Boolean(q ?? provider ?? from ?? to)

/** The page of posts under a filter. */
export function postsHref(filter: PostsFilter, more: Record<string, string | undefined> = {}): string {
  const set = Object.entries({ ...filter, ...more }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return `/workspace/posts?${new URLSearchParams(set)}`
}
