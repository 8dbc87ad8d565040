import { canUsePasskeys } from '../lib/passkeys.js'

/** Shows its content where the browser can make passkeys. */
class PasskeyOnly extends HTMLElement {
  connectedCallback() {
    this.hidden = !canUsePasskeys()
  }
}

customElements.define('passkey-only', PasskeyOnly)
