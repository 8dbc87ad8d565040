import type { Children } from '@kitajs/html'
import { Button, ButtonLink } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

interface NoticeProps {
  tone?: 'danger' | 'warning' | 'info'
  title?: string
  text?: string
  /** `alert` interrupts a screen reader: for what has just gone wrong. */
  role?: 'alert' | 'status'
  dismissable?: boolean
  children?: Children
}

const icons: Record<NonNullable<NoticeProps['tone']>, IconName> = {
  danger: 'circle-alert',
  warning: 'triangle-alert',
  info: 'info',
}

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

interface EmptyProps {
  icon: IconName
  title: string
  text: string
  small?: boolean
  /** `h1` where the place is the whole page. */
  heading?: 'h1' | 'h2'
  children?: Children
}

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

/** The server sends toasts by the event `toast` (`toastTrigger`). */
export const ToastRegion = () => (
  <toast-region class="toasts" id="toasts" role="region" aria-label="Messages" aria-live="polite">
    <template>
      <div class="toast">
        <Icon name="check" />
        <span />
        <Button label="Undo" variant="ghost" size="sm" data-undo hidden />
        <Button label="Dismiss" icon="x" iconOnly variant="ghost" size="sm" data-dismiss />
      </div>
    </template>
    <template data-unanswered>
      <Notice
        tone="danger"
        role="alert"
        dismissable
        title="Couldn’t reach Atrium"
        text="Check your connection and try again. Your last change might not be saved."
      />
    </template>
    <template data-outdated>
      <Notice
        role="alert"
        dismissable
        title="This page is out of date"
        text="You were signed out, or you no longer have access to it."
      >
        <ButtonLink label="Reload" icon="rotate-cw" size="sm" href="" />
      </Notice>
    </template>
  </toast-region>
)
