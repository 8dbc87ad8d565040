import { copyByButton } from '../lib/copy.js'

/** The text of a new key, which is shown once: copied by a button, and gone with its dialog, behind which the list is renewed. */
class MadeKey extends HTMLElement {
  connectedCallback() {
    const dialog = this.closest('dialog')
    // A click beside it would take the key away unseen.
    dialog?.setAttribute('closedby', 'closerequest')
    dialog?.addEventListener('close', () => location.assign('/settings/keys'), { once: true })
    copyByButton(this)
  }
}

customElements.define('made-key', MadeKey)
