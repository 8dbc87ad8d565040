import { canUsePasskeys } from '../lib/passkeys.js'

/** Shows its content when the browser supports passkeys. */
class PasskeyOnly extends HTMLElement {
  connectedCallback() {
    this.hidden = !canUsePasskeys()
  }
}

customElements.define('passkey-only', PasskeyOnly)
