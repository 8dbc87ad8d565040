import { askAuthenticator, canUsePasskeys, fetchOptions, reasonOf } from '../lib/passkeys.js'

/**
 * A form that is sent once an authenticator has answered: with `data-create` it makes a passkey, else it signs with
 * one. The options are in `data-asked`, or come from the address in `data-options`. Hidden where the browser has no
 * passkeys.
 */
class PasskeyForm extends HTMLElement {
  connectedCallback() {
    this.hidden = !canUsePasskeys()
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
    const { asked, options = '' } = this.dataset
    try {
      const creationOptions = asked ? JSON.parse(asked) : await fetchOptions(options)
      this.answer.value = await askAuthenticator(creationOptions, 'create' in this.dataset)
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
