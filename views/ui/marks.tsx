import { assetUrl } from '#lib/assets.ts'
import { Icon, type IconName } from './icon.tsx'

interface BadgeProps {
  label: string | number
  tone?: 'accent' | 'success' | 'warning' | 'danger' | 'info'
  icon?: IconName
  /** A number next to a name. */
  count?: boolean
}

/** Never a state inside a table. */
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

export const Status = ({ state }: { state: State }) => <StatusMark state={state} {...states[state]} />

export interface StatusLook {
  state: State
  icon: IconName
  word: string
  /** What the icon says besides the word. */
  label?: string
}

/** What a filter offers. */
export const wordsOf = (looks: Readonly<Record<string, StatusLook>>): Record<string, string> =>
  Object.fromEntries(Object.entries(looks).map(([state, { word }]) => [state, word]))

/** Its icon has the color, its word says the state. */
export const StatusMark = ({ state, icon, word, label }: StatusLook) => (
  <span class="status" data-state={state}>
    <Icon name={icon} label={label} />
    <span safe>{word}</span>
  </span>
)

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

const networks: Readonly<Record<Network, true>> = {
  bluesky: true,
  discord: true,
  facebook: true,
  instagram: true,
  linkedin: true,
  'linkedin-page': true,
  mastodon: true,
  sandbox: true,
  threads: true,
  tiktok: true,
  x: true,
  youtube: true,
}

export const isNetwork = (name: string): name is Network => Object.hasOwn(networks, name)

interface NetworkMarkProps {
  network: Network
  /** When no word next to the mark says it. */
  label?: string
}

export const NetworkMark = ({ network, label }: NetworkMarkProps) => (
  <span class="net">
    <svg class="icon" {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' })}>
      <use href={`${assetUrl('icons.svg')}#net-${network === 'linkedin-page' ? 'linkedin' : network}`} />
    </svg>
  </span>
)

interface AvatarProps {
  name: string
  /** Decides the color, so that a new name keeps it: the ID where there is one. */
  seed?: string
  shape?: 'round' | 'square'
  size?: 'sm' | 'lg' | 'xl'
  /** The URL of its picture. The initials show until it has loaded. */
  image?: string | null
  /** An account wears its network's mark. */
  network?: Network
  /** When the name isn't written next to it. */
  labelled?: boolean
}

export const Avatar = ({ name, seed = name, shape, size, image, network, labelled }: AvatarProps) => (
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
    {image ? <img src={image} alt="" /> : null}
    {network ? <NetworkMark network={network} /> : null}
  </span>
)

/** `Acme Coffee` is AC. */
function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '').join('')
}

/** Degrees of the color circle. */
const hue = (seed: string): number => Number(Bun.hash(seed) % 360n)

const appIcons: Record<string, IconName | undefined> = {
  code: 'code',
  gauge: 'gauge',
  'key-round': 'key-round',
  megaphone: 'megaphone',
  wallet: 'wallet',
}

/** Of an app. The registry can name icons that the sprite doesn't have. */
export const appIcon = (name?: string | null): IconName => appIcons[name ?? ''] ?? 'layout-grid'
