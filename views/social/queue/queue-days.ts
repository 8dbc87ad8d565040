import type { Post } from '#social/types'
import { listHref } from '#views/ui/lists.tsx'

/** What the queue shows. */
export interface QueuePlace {
  brandId: string
  /** The first day, as `2026-11-21`; today when not set. */
  date?: string
  provider?: Post['provider']
  accountId?: string
}

export const queueHref = ({ brandId, date, provider, accountId }: QueuePlace, more: Partial<QueuePlace> = {}): string =>
  listHref('/workspace/queue', { brandId, date, provider, accountId, ...more })

export const isFiltered = ({ provider, accountId }: QueuePlace): boolean => Boolean(provider ?? accountId)

/** The form that moves a post to any slot. */
export const moveHref = ({ id, brandId }: Pick<Post, 'id' | 'brandId'>): string =>
  `/workspace/queue/${id}/move?brandId=${brandId}`
