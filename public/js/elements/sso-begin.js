import { createIdentityClient } from '../identity-client/index.js'

/** A button that signs the person in through another host of this server where they are signed in. */
class SsoBegin extends HTMLElement {
  connectedCallback() {
    const { service = '', authority, next } = this.dataset
    this.querySelector('button')?.addEventListener('click', () =>
      createIdentityClient({ service, authority }).authorize({ next }),
    )
  }
}

customElements.define('sso-begin', SsoBegin)
