import { linkPreviewsOf, type LinkPreview, type Provider } from '../contract.ts'
import { networkOf } from './index.ts'
import type { Limits } from './network.ts'

export const takesLinkPreviews = ({ provider }: { provider: Provider }): boolean =>
  linkPreviewsOf[provider] !== undefined

export const describeNoLinkPreviews = (name: string): string =>
  `Atrium can’t publish link previews on ${name}. Remove the link preview.`

interface Linked {
  provider: Provider
  linkPreview?: LinkPreview | null
  media?: readonly unknown[]
  position?: number
}

/** Why the network takes no such card; null without one. */
export function describeLinkProblem(
  { provider, linkPreview, media = [], position = 0 }: Linked,
  { replies }: Pick<Limits, 'replies'>,
): string | null {
  if (!linkPreview) return null
  const name = networkOf(provider)?.name ?? provider
  if (!takesLinkPreviews({ provider })) return describeNoLinkPreviews(name)
  if (media.length > 0) return 'A post can’t have both files and a link preview. Remove one of them.'
  if (position > 0 && replies?.media === 0)
    return `On ${name}, only the first post of a thread can have a link preview.`
  return null
}
