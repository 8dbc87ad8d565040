import { canUsePasskeys } from '../lib/passkeys.js'

class PasskeyOnly extends HTMLElement {
  connectedCallback() {
    this.hidden = !canUsePasskeys()
  }
}

customElements.define('passkey-only', PasskeyOnly)
