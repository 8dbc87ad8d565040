import { type Network, NetworkMark } from './network.tsx'

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
