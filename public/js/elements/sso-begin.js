import { createIdentityClient } from '../identity-client/index.js'

/** A button that signs somebody in where people of this server are signed in, on another host. */
class SsoBegin extends HTMLElement {
  connectedCallback() {
    const { service = '', authority, next } = this.dataset
    this.querySelector('button')?.addEventListener('click', () =>
      createIdentityClient({ service, authority }).authorize({ next }),
    )
  }
}

customElements.define('sso-begin', SsoBegin)
