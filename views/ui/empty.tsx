import type { Children } from '@kitajs/html'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  icon: IconName
  title: string
  text: string
  small?: boolean
  /** The acts that fill the place. */
  children?: Children
}

/** Stands where a list has nothing to show: says why, and what comes next. */
export const Empty = ({ icon, title, text, small, children }: EmptyProps) => (
  <div class="empty" data-small={small}>
    <Icon name={icon} />
    <h2 safe>{title}</h2>
    <p safe>{text}</p>
    <div class="actions">{children}</div>
  </div>
)
