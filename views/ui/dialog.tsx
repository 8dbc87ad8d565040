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

interface DialogButtonsProps {
  /** The dialog's id. */
  dialog: string
  /** The label of the button that submits the form. */
  submit: string
  danger?: boolean
  /** For a form without fields. */
  focusCancel?: boolean
}

/** The footer of a dialog's form: Cancel leaves everything as it is. */
export const DialogButtons = ({ dialog, submit, danger, focusCancel }: DialogButtonsProps) => (
  <footer>
    <Button label="Cancel" variant="ghost" commandfor={dialog} command="close" autofocus={focusCancel} />
    <Button label={submit} variant={danger ? 'danger' : 'primary'} type="submit" />
  </footer>
)
