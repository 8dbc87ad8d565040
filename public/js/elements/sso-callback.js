import { createIdentityClient } from '../identity-client/index.js'

/** The callback page: exchanges the code in its URL, or asks first, or shows the error. */
class SsoCallback extends HTMLElement {
  connectedCallback() {
    const client = createIdentityClient({ service: '', navigate: (url) => location.replace(url) })
    const started = this.dataset['started']
    client
      .redeem({ confirm: (who) => this.ask(who), ...(started && { started: JSON.parse(started) }) })
      .catch((error) => this.showProblem(error))
  }

  /**
   * Whether the person wants to be signed in as another person from now on.
   * @param {import('../identity-client/index.js').Replacement} who
   * @returns {Promise<boolean>}
   */
  ask({ current, arriving }) {
    this.show('question')
    this.write('current', current.email)
    this.write('arriving', arriving.email)
    return new Promise((resolve) => {
      this.querySelector('[data-continue]')?.addEventListener('click', () => {
        this.show('waiting')
        resolve(true)
      })
      this.querySelector('[data-stay]')?.addEventListener('click', () => resolve(false))
    })
  }

  /** @param {Error} error */
  showProblem({ message }) {
    this.write('detail', message)
    this.show('failed')
  }

  /** @param {string} part */
  show(part) {
    for (const each of this.querySelectorAll('[data-part]'))
      each.toggleAttribute('hidden', each.getAttribute('data-part') !== part)
  }

  /** @param {string} place @param {string} text */
  write(place, text) {
    for (const each of this.querySelectorAll(`[data-${place}]`)) each.textContent = text
  }
}

customElements.define('sso-callback', SsoCallback)
