import { Button, ButtonLink } from './button.tsx'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'

/**
 * Where toasts appear. The server sends one by the event `toast` (see `toastTrigger`); refusals of acts
 * outside forms are put here too, requests that got no answer, and a page that is no longer kept up to date.
 */
export const ToastRegion = () => (
  <toast-region class="toasts" id="toasts" role="region" aria-label="Messages" aria-live="polite">
    <template>
      <div class="toast">
        <Icon name="check" />
        <span />
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
