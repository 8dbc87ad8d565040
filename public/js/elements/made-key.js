import { focusNext } from '../keep-focus.js'
import { copyByButton } from '../lib/copy.js'

/** A new key or secret, which is shown once: copied by a button, and gone with its dialog, behind which the list is renewed. */
class MadeKey extends HTMLElement {
  connectedCallback() {
    const dialog = this.closest('dialog')
    const title = dialog?.querySelector('h2')
    if (title && this.dataset.title) title.textContent = this.dataset.title
    const done = this.querySelector('a')?.href ?? location.href
    if (dialog) focusNext(new URL(done).pathname, [`[commandfor="${dialog.id}"]:not(dialog *)`])
    // A click beside it would take the key away unseen.
    dialog?.setAttribute('closedby', 'closerequest')
    dialog?.addEventListener('close', () => location.assign(done), { once: true })
    copyByButton(this)
  }
}

customElements.define('made-key', MadeKey)
