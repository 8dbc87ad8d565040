import { assetUrl } from '#lib/assets.ts'

/** Networks by the keys of the API. */
export type Network =
  | 'bluesky'
  | 'discord'
  | 'facebook'
  | 'instagram'
  | 'linkedin'
  | 'linkedin-page'
  | 'mastodon'
  | 'sandbox'
  | 'threads'
  | 'tiktok'
  | 'x'
  | 'youtube'

interface NetworkMarkProps {
  network: Network
  /** The network's name, where no word beside the mark says it. */
  label?: string
}

/** A network's mark on its tile. */
export const NetworkMark = ({ network, label }: NetworkMarkProps) => (
  <span class="net">
    <svg class="icon" {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' })}>
      <use href={`${assetUrl('icons.svg')}#net-${network === 'linkedin-page' ? 'linkedin' : network}`} />
    </svg>
  </span>
)
