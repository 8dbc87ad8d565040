import { askAuthenticator, fetchOptions, PasskeyElement, reasonOf } from '../lib/passkeys.js'

/**
 * A form that is submitted after an authenticator has created a passkey (`data-create`) or signed with one. The options are in
 * `data-creation-options`, or are fetched from the URL in `data-options`. Hidden when the browser doesn’t support passkeys.
 */
class PasskeyForm extends PasskeyElement {
  connectedCallback() {
    super.connectedCallback()
    // Handled before htmx, which listens on the form.
    this.addEventListener('submit', this, { capture: true })
    this.addEventListener('htmx:after:request', () => (this.answer.value = ''))
  }

  get answer() {
    const field = this.querySelector('input[name="credential"]')
    if (!(field instanceof HTMLInputElement)) throw new Error('A passkey-form requires a field for the credential')
    return field
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (this.answer.value) return
    event.preventDefault()
    event.stopPropagation()
    void this.ask()
  }

  async ask() {
    this.say('Waiting for your device…')
    const { creationOptions, options = '' } = this.dataset
    try {
      const ceremony = creationOptions ? JSON.parse(creationOptions) : await fetchOptions(options)
      this.answer.value = await askAuthenticator(ceremony, 'create' in this.dataset)
      this.say('')
      this.querySelector('form')?.requestSubmit()
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

customElements.define('passkey-form', PasskeyForm)
