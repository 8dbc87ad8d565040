import { copyByButton } from '../lib/copy.js'

/** A text that a button copies. */
class CopyText extends HTMLElement {
  connectedCallback() {
    copyByButton(this)
  }
}

customElements.define('copy-text', CopyText)
