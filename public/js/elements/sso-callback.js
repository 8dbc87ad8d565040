import { createIdentityClient } from '../identity-client/index.js'

/** The page that codes lead to: redeems the code of its address and goes on, or says why it can't. */
class SsoCallback extends HTMLElement {
  connectedCallback() {
    const client = createIdentityClient({ service: '', navigate: (url) => location.replace(url) })
    client.redeem().catch((error) => this.tell(error))
  }

  /** @param {Error} error */
  tell({ message }) {
    const [waiting, failed] = this.children
    const words = failed?.querySelector('[data-detail]')
    if (words) words.textContent = message
    waiting?.setAttribute('hidden', '')
    failed?.removeAttribute('hidden')
  }
}

customElements.define('sso-callback', SsoCallback)
