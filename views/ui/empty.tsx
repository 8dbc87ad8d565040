import type { Children } from '@kitajs/html'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  icon: IconName
  title: string
  text: string
  small?: boolean
  /** `h1` where the place is the whole page. */
  heading?: 'h1' | 'h2'
  /** The acts that fill the place. */
  children?: Children
}

/** Stands where a list has nothing to show: says why, and what comes next. */
export const Empty = ({ icon, title, text, small, heading = 'h2', children }: EmptyProps) => (
  <div class="empty" data-small={small}>
    <Icon name={icon} />
    <tag of={heading} safe>
      {title}
    </tag>
    <p safe>{text}</p>
    <div class="actions">{children}</div>
  </div>
)
