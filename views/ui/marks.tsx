import { Icon, type IconName } from './icon.tsx'
import { assetUrl } from '#lib/assets.ts'

interface BadgeProps {
  label: string | number
  tone?: 'accent' | 'success' | 'warning' | 'danger' | 'info'
  icon?: IconName
  /** A number beside a name. */
  count?: boolean
}

/** A word or number that marks something; never a state inside a table. */
export const Badge = ({ label, tone, icon, count }: BadgeProps) => (
  <span class="badge" data-tone={tone} data-count={count}>
    {icon ? <Icon name={icon} /> : null}
    <span safe>{label}</span>
  </span>
)

const states = {
  draft: { icon: 'circle-dashed', word: 'Draft' },
  scheduled: { icon: 'clock', word: 'Scheduled' },
  sending: { icon: 'send', word: 'Sending' },
  waiting: { icon: 'hourglass', word: 'Waiting' },
  published: { icon: 'circle-check', word: 'Published' },
  failed: { icon: 'circle-alert', word: 'Failed' },
} as const satisfies Record<string, { icon: IconName; word: string }>

export type State = keyof typeof states

/** A post's state. */
export const Status = ({ state }: { state: State }) => <StatusMark state={state} {...states[state]} />

export interface StatusLook {
  /** The name of its color. */
  state: State
  icon: IconName
  word: string
}

/** The state of anything: its icon carries the color, its word says it. */
export const StatusMark = ({ state, icon, word }: StatusLook) => (
  <span class="status" data-state={state}>
    <Icon name={icon} />
    <span safe>{word}</span>
  </span>
)

/** Networks by the keys of the API. */
type Network =
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

interface AvatarProps {
  name: string
  /** Decides the color, so that a new name keeps it: the id where there is one. */
  seed?: string
  shape?: 'round' | 'square'
  size?: 'sm' | 'lg' | 'xl'
  /** An account wears its network's mark. */
  network?: Network
  /** The name stands nowhere near: the avatar says it. */
  labelled?: boolean
}

/** Initials on a color of their own, for people, brands and accounts. */
export const Avatar = ({ name, seed = name, shape, size, network, labelled }: AvatarProps) => (
  <span
    class="avatar"
    data-shape={shape}
    data-size={size}
    style={`--hue: ${hue(seed)}`}
    {...(labelled && { role: 'img', 'aria-label': name })}
  >
    <span aria-hidden="true" safe>
      {initials(name)}
    </span>
    {network ? <NetworkMark network={network} /> : null}
  </span>
)

/** First letters of the first and the last word: `Acme Coffee` is AC. */
function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '').join('')
}

/** A hue of the color circle in degrees. */
const hue = (seed: string): number => Number(Bun.hash(seed) % 360n)
