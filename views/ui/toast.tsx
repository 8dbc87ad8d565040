import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'

/**
 * Where toasts appear. The server sends one by the event `toast` (see `toastTrigger`); refusals of acts
 * outside forms are put here too, and requests that got no answer.
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
        title="No answer from Atrium"
        text="It may be away for a moment, or you are offline. Nothing was changed here; try again."
      />
    </template>
  </toast-region>
)
