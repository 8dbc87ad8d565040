import type { NotificationKind } from '#lib/notification-kind.ts'
import type { ActionButton } from '#lib/schema.ts'
import type { Provider } from '../contract.ts'

/** The posts and accounts of one brand on one network. */
export interface Subject {
  brandId: string
  brandName: string
  provider: Provider
  network: string
}

export interface WantedAction {
  kind: NotificationKind
  /** Unique among those of the subject. */
  key: string
  title: string
  reason: string
  href: string
  actions: ActionButton[]
}

/** All that begin with it are about one brand. */
export const causesOfBrand = (brandId: string): string => `social.${brandId}.`

export const causesOf = ({ brandId, provider }: Pick<Subject, 'brandId' | 'provider'>): string =>
  `${causesOfBrand(brandId)}${provider}:`

export const failedPostsOf = ({ brandId }: Subject): string => `/workspace/posts?brandId=${brandId}&status=failed`
