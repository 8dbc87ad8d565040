import { PasskeyElement } from '../lib/passkeys.js'

class PasskeyOnly extends PasskeyElement {}

customElements.define('passkey-only', PasskeyOnly)
