import { focusNext, openersOf } from '../keep-focus.js'
import { copyByButton } from '../lib/copy.js'

/** Shows a new key or secret once, with a Copy button. The list behind the dialog is refreshed. */
class MadeKey extends HTMLElement {
  connectedCallback() {
    const dialog = this.closest('dialog')
    const title = dialog?.querySelector('h2')
    if (title && this.dataset.title) title.textContent = this.dataset.title
    const done = this.querySelector('a')?.href ?? location.href
    if (dialog) focusNext(new URL(done).pathname, openersOf(dialog))
    // A click outside must not close the dialog before the key was copied.
    dialog?.setAttribute('closedby', 'closerequest')
    dialog?.addEventListener('close', () => location.assign(done), { once: true })
    copyByButton(this)
  }
}

customElements.define('made-key', MadeKey)
