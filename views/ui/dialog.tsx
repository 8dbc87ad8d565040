import type { Children } from '@kitajs/html'
import { Button } from './button.tsx'

interface DialogProps {
  id: string
  title: string
  /** `.body` and `footer`, or a form with both. */
  children: Children
}

/**
 * A modal question, opened by a button with `commandfor={id} command="show-modal"`. While it is open, a refresh of the
 * page around it leaves it as it is.
 */
export const Dialog = ({ id, title, children }: DialogProps) => (
  <dialog class="dialog" id={id} aria-labelledby={`${id}-title`} closedby="any">
    <header>
      <h2 id={`${id}-title`} safe>
        {title}
      </h2>
      <Button label="Close" icon="x" iconOnly variant="ghost" commandfor={id} command="close" />
    </header>
    {children}
  </dialog>
)
