import { copyByButton } from '../lib/copy.js'

/** A text with a Copy button. */
class CopyText extends HTMLElement {
  connectedCallback() {
    copyByButton(this)
  }
}

customElements.define('copy-text', CopyText)
