import { focusNext, openersOf } from '../lib/keep-focus.js'
import { copyByButton } from '../lib/copy.js'

/** Shows a new key or secret once, with a Copy button. Closing it refreshes the page around the dialog. */
class MadeKey extends HTMLElement {
  connectedCallback() {
    const dialog = this.closest('dialog')
    const title = dialog?.querySelector('h2')
    if (title && this.dataset.title) title.textContent = this.dataset.title
    // A click outside must not close the dialog before the key was copied.
    dialog?.setAttribute('closedby', 'closerequest')
    const link = this.querySelector('a')
    link?.addEventListener('click', (event) => {
      if (!dialog) return
      event.preventDefault()
      dialog.close()
    })
    dialog?.addEventListener('close', () => this.leave(link?.href ?? location.href, dialog), { once: true })
    copyByButton(this)
  }

  /** @param {string} done @param {HTMLDialogElement} dialog */
  leave(done, dialog) {
    const refresh = this.querySelector('[hx-get]')
    if (refresh && new URL(done).pathname === location.pathname) {
      refresh.dispatchEvent(new Event('done'))
      return
    }
    focusNext(new URL(done).pathname, openersOf(dialog))
    location.assign(done)
  }
}

customElements.define('made-key', MadeKey)
