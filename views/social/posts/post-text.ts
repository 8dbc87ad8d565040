import type { ListedPost, Post } from '#social/types'

export interface Place {
  brand: { id: string; name: string }
  zone: string
  now: Date
}

export function excerpt(text: string, longest = 160): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest).trimEnd()}…` : line
}

export const accountName = (network: Post['provider'], name: string | null): string =>
  name === null ? 'No account' : network === 'sandbox' ? `@${name}` : name

export const postHref = ({ id, brandId }: Pick<Post, 'id' | 'brandId'>): string =>
  `/workspace/posts/${id}?brandId=${brandId}`

export const editHref = ({ id, brandId }: Pick<Post, 'id' | 'brandId'>): string =>
  `/workspace/posts/${id}/edit?brandId=${brandId}`

/** Null where Atrium doesn't know it. */
export const accountUrl = ({ provider, accountName: name }: ListedPost): string | null =>
  provider === 'sandbox' && name ? timelineHref(name) : null

export const timelineHref = (handle: string): string => `/dev/sandbox/${encodeURIComponent(handle)}`

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
