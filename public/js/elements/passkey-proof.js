import { askAuthenticator, fetchOptions, PasskeyElement, reasonOf } from '../lib/passkeys.js'

/**
 * A button that confirms its form with a passkey and submits it. Hidden when the browser doesn't support passkeys.
 */
class PasskeyProof extends PasskeyElement {
  connectedCallback() {
    super.connectedCallback()
    this.querySelector('button')?.addEventListener('click', () => void this.ask())
    this.closest('form')?.addEventListener('htmx:after:request', () => (this.answer.value = ''))
  }

  get answer() {
    const field = this.querySelector('input[name="passkey"]')
    if (!(field instanceof HTMLInputElement)) throw new Error('A passkey-proof requires a field for the credential')
    return field
  }

  async ask() {
    if (!this.closest('form')?.reportValidity()) return
    this.say('Waiting for your device…')
    try {
      this.answer.value = await askAuthenticator(await fetchOptions(this.dataset.options ?? ''), false)
      this.say('')
      this.closest('form')?.requestSubmit()
    } catch (error) {
      this.say(reasonOf(error))
    }
  }

  /** @param {string} words */
  say(words) {
    const status = this.querySelector('[role="status"]')
    if (status) status.textContent = words
  }
}

customElements.define('passkey-proof', PasskeyProof)
