/**
 * A form that is sent once an authenticator has answered: with `data-create` it makes a passkey, else it signs with
 * one. Hidden until the browser turns out to have such; without them it stays away.
 */
class PasskeyForm extends HTMLElement {
  connectedCallback() {
    this.hidden = !globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON
    // Before htmx hears of it, which listens at the form itself.
    this.addEventListener('submit', this, { capture: true })
    this.addEventListener('htmx:after:request', () => (this.answer.value = ''))
  }

  get answer() {
    const field = this.querySelector('input[name="credential"]')
    if (!(field instanceof HTMLInputElement)) throw new Error('A passkey-form needs a field for the credential')
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
    try {
      const asked = await fetch(this.dataset.options ?? '', { method: 'POST', headers: { accept: 'application/json' } })
      if (!asked.ok) throw new Error(`${this.dataset.options} answered ${asked.status}`)
      this.answer.value = JSON.stringify(await answerTo(await asked.json(), 'create' in this.dataset))
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

/**
 * @param {any} options as the server writes them
 * @param {boolean} create
 */
async function answerTo(options, create) {
  const credential = create
    ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  if (credential instanceof PublicKeyCredential) return credential.toJSON()
  throw new Error('The browser gave no passkey')
}

/** @param {unknown} error */
function reasonOf(error) {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already.'
  if (name === 'NotAllowedError') return 'Nothing was done: it was cancelled, or took too long.'
  if (name === 'SecurityError') return 'Passkeys need Atrium’s own name in the address, over https.'
  return 'That did not work. Try once more.'
}

customElements.define('passkey-form', PasskeyForm)
