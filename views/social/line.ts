import type { Post } from '#social/types'

/** A post with what a list says beside it. */
export interface PostLine {
  post: Post
  /** The account that it goes or went to; null while none is connected. */
  account: string | null
  /** The author's name; null when identity can't say. */
  author: string | null
  /** How many posts its thread has; null outside threads. */
  parts: number | null
}

/** What a view needs to know of the reader's place: the clock, the brand's zone, and whether acts are shown. */
export interface Place {
  now: Date
  zone: string
  mayWrite: boolean
}

/** The beginning of a text on one line. */
export function excerpt(text: string, longest = 160): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest).trimEnd()}…` : line
}

/** An account as its network's people write it. */
export const accountName = (network: Post['provider'], name: string | null): string =>
  name === null ? 'No account' : network === 'sandbox' ? `@${name}` : name

/** A post's page. */
export const postHref = ({ id, brandId }: Pick<Post, 'id' | 'brandId'>): string =>
  `/workspace/posts/${id}?brandId=${brandId}`

/** The composer with this post. */
export const editHref = ({ id, brandId }: Pick<Post, 'id' | 'brandId'>): string =>
  `/workspace/posts/${id}/edit?brandId=${brandId}`

/** The account's own page on its network; null where Atrium doesn't know it. */
export const accountUrl = ({ post, account }: PostLine): string | null =>
  post.provider === 'sandbox' && account ? timelineHref(account) : null

/** The sandbox network's page of an account. */
export const timelineHref = (handle: string): string => `/dev/sandbox/${encodeURIComponent(handle)}`

/** Networks' names as people write them. */
export const networkNames: Record<Post['provider'], string> = {
  sandbox: 'Sandbox',
  x: 'X',
  linkedin: 'LinkedIn',
  'linkedin-page': 'LinkedIn Page',
  facebook: 'Facebook',
  instagram: 'Instagram',
  threads: 'Threads',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  bluesky: 'Bluesky',
  mastodon: 'Mastodon',
  discord: 'Discord',
}
