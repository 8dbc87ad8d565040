const canUsePasskeys = () => Boolean(globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON)

/** @param {string} url */
export async function fetchOptions(url) {
  const answer = await fetch(url, { method: 'POST', headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`${url} responded with ${answer.status}`)
  return answer.json()
}

/**
 * Creates a passkey or signs with one. Returns the credential as JSON.
 * @param {any} options as the server writes them
 * @param {boolean} create
 */
export async function askAuthenticator(options, create) {
  const credential = create
    ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  if (credential instanceof PublicKeyCredential) return JSON.stringify(credential.toJSON())
  throw new Error('The browser returned no passkey')
}

/** @param {unknown} error */
export function reasonOf(error) {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.'
  if (name === 'NotAllowedError') return 'The request was canceled or timed out. Try again.'
  if (name === 'SecurityError') return 'Passkeys only work on Atrium’s own domain, over https.'
  return 'The passkey couldn’t be used. Try again.'
}

/**
 * Hidden where the browser doesn't support passkeys, also after updates of the page. Where only this element would move the
 * page, the server leaves it visible.
 */
export class PasskeyElement extends HTMLElement {
  static observedAttributes = ['hidden']

  connectedCallback() {
    this.hidden = !canUsePasskeys()
  }

  attributeChangedCallback() {
    if (this.hidden === canUsePasskeys()) this.hidden = !this.hidden
  }
}
