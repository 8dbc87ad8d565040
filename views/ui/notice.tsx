import type { Children } from '@kitajs/html'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

interface NoticeProps {
  tone?: 'danger' | 'warning' | 'info'
  title?: string
  text?: string
  /** `alert` interrupts a screen reader: for what has just gone wrong. */
  role?: 'alert' | 'status'
  /** Where it floats above the page, it can be put away. */
  dismissable?: boolean
  /** The acts that help, or more than a text. */
  children?: Children
}

const icons: Record<NonNullable<NoticeProps['tone']>, IconName> = {
  danger: 'circle-alert',
  warning: 'triangle-alert',
  info: 'info',
}

/** What happened, why, and what to do, in place. */
export const Notice = ({ tone = 'info', title, text, role, dismissable, children }: NoticeProps) => (
  <div class="notice" data-tone={tone} role={role}>
    <Icon name={icons[tone]} />
    <div>
      {title ? <b safe>{title}</b> : null}
      {text ? <p safe>{text}</p> : null}
      {children}
    </div>
    {dismissable ? <Button label="Dismiss" icon="x" iconOnly variant="ghost" size="sm" data-dismiss /> : null}
  </div>
)
