import type { ListedPost, Post } from '#social/types'

/** A brand with its time zone and the current time. */
export interface Place {
  brand: { id: string; name: string }
  zone: string
  now: Date
}

/** The beginning of a text on one line. */
export function excerpt(text: string, longest = 160): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest).trimEnd()}…` : line
}

/** The name of an account as its network writes it. */
export const accountName = (network: Post['provider'], name: string | null): string =>
  name === null ? 'No account' : network === 'sandbox' ? `@${name}` : name

/** The page of a post. */
export const postHref = ({ id, brandId }: Pick<Post, 'id' | 'brandId'>): string =>
  `/workspace/posts/${id}?brandId=${brandId}`

/** The composer of a post. */
export const editHref = ({ id, brandId }: Pick<Post, 'id' | 'brandId'>): string =>
  `/workspace/posts/${id}/edit?brandId=${brandId}`

/** The page of a post's account on its network; null where Atrium doesn't know it. */
export const accountUrl = ({ provider, accountName: name }: ListedPost): string | null =>
  provider === 'sandbox' && name ? timelineHref(name) : null

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
