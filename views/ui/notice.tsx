import type { Children } from '@kitajs/html'
import { Icon, type IconName } from './icon.tsx'

interface NoticeProps {
  tone?: 'danger' | 'warning' | 'info'
  title?: string
  text?: string
  /** `alert` interrupts a screen reader: for what has just gone wrong. */
  role?: 'alert' | 'status'
  /** The acts that help, or more than a text. */
  children?: Children
}

const icons: Record<NonNullable<NoticeProps['tone']>, IconName> = {
  danger: 'circle-alert',
  warning: 'triangle-alert',
  info: 'info',
}

/** What happened, why, and what to do, in place. */
export const Notice = ({ tone = 'info', title, text, role, children }: NoticeProps) => (
  <div class="notice" data-tone={tone} role={role}>
    <Icon name={icons[tone]} />
    <div>
      {title ? <b safe>{title}</b> : null}
      {text ? <p safe>{text}</p> : null}
      {children}
    </div>
  </div>
)
