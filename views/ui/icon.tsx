import { assetUrl } from '#lib/assets.ts'

/** Lucide symbols in `public/icons.svg`: only those in use. */
export type IconName =
  | 'alarm-clock'
  | 'arrow-left'
  | 'arrow-left-right'
  | 'arrow-up-right'
  | 'badge-check'
  | 'blocks'
  | 'bot'
  | 'boxes'
  | 'building-2'
  | 'calendar-clock'
  | 'check'
  | 'chevron-down'
  | 'chevron-left'
  | 'chevron-right'
  | 'chevrons-up-down'
  | 'circle-alert'
  | 'circle-check'
  | 'circle-dashed'
  | 'circle-dot'
  | 'circle-help'
  | 'circle-slash'
  | 'clock'
  | 'code'
  | 'copy'
  | 'download'
  | 'ellipsis'
  | 'eye'
  | 'eye-off'
  | 'gauge'
  | 'globe'
  | 'history'
  | 'fingerprint'
  | 'hourglass'
  | 'image-plus'
  | 'info'
  | 'key-round'
  | 'laptop'
  | 'layers'
  | 'layout-grid'
  | 'link'
  | 'list'
  | 'list-tree'
  | 'lock'
  | 'log-in'
  | 'log-out'
  | 'mail'
  | 'megaphone'
  | 'menu'
  | 'monitor'
  | 'moon'
  | 'package'
  | 'pause'
  | 'pen-line'
  | 'plug'
  | 'plus'
  | 'rotate-cw'
  | 'search'
  | 'send'
  | 'settings'
  | 'shield-check'
  | 'smartphone'
  | 'sun'
  | 'tag'
  | 'timer-off'
  | 'trash-2'
  | 'triangle-alert'
  | 'undo-2'
  | 'upload'
  | 'user'
  | 'user-plus'
  | 'users'
  | 'webhook'
  | 'x'

type Sprite = Record<IconName, true>

declare module '#lib/icon.ts' {
  // oxlint-disable-next-line typescript/no-empty-object-type
  interface Icons extends Sprite {}
}

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`${assetUrl('icons.svg')}#${name}`} />
  </svg>
)

const appIcons: Record<string, IconName | undefined> = {
  megaphone: 'megaphone',
  'key-round': 'key-round',
  gauge: 'gauge',
}

/** Of an app. The registry can name icons that the sprite doesn't have. */
export const appIcon = (name?: string | null): IconName => appIcons[name ?? ''] ?? 'layout-grid'
