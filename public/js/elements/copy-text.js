import { copyByButton } from '../lib/copy.js'

class CopyText extends HTMLElement {
  connectedCallback() {
    copyByButton(this)
  }
}

customElements.define('copy-text', CopyText)
