import { assetUrl } from '#lib/assets.ts'

/** The lucide symbols of `public/icons.svg`: only those in use. */
export type IconName =
  | 'arrow-up-right'
  | 'calendar-clock'
  | 'check'
  | 'chevron-right'
  | 'chevrons-up-down'
  | 'circle-alert'
  | 'circle-check'
  | 'circle-dashed'
  | 'circle-dot'
  | 'circle-help'
  | 'clock'
  | 'copy'
  | 'download'
  | 'ellipsis'
  | 'eye'
  | 'eye-off'
  | 'history'
  | 'hourglass'
  | 'info'
  | 'key-round'
  | 'layout-grid'
  | 'lightbulb'
  | 'list'
  | 'list-tree'
  | 'log-out'
  | 'mail'
  | 'megaphone'
  | 'menu'
  | 'pause'
  | 'pen-line'
  | 'plug'
  | 'plus'
  | 'rotate-cw'
  | 'search'
  | 'send'
  | 'settings'
  | 'trash-2'
  | 'triangle-alert'
  | 'undo-2'
  | 'user-plus'
  | 'x'

/** A decorative icon: the words stand beside it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`${assetUrl('icons.svg')}#${name}`} />
  </svg>
)
