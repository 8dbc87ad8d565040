/** Whether the browser can make and use passkeys. */
export const canUsePasskeys = () => Boolean(globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON)

/**
 * Fetches the options of a WebAuthn ceremony.
 * @param {string} url
 */
export async function fetchOptions(url) {
  const answer = await fetch(url, { method: 'POST', headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return answer.json()
}

/**
 * Has an authenticator make a passkey or sign with one; answers the credential as JSON text.
 * @param {any} options as the server writes them
 * @param {boolean} create
 */
export async function askAuthenticator(options, create) {
  const credential = create
    ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  if (credential instanceof PublicKeyCredential) return JSON.stringify(credential.toJSON())
  throw new Error('The browser gave no passkey')
}

/**
 * What to tell the person when a ceremony failed.
 * @param {unknown} error
 */
export function reasonOf(error) {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already.'
  if (name === 'NotAllowedError') return 'Nothing was done: it was cancelled, or took too long.'
  if (name === 'SecurityError') return 'Passkeys need Atrium’s own name in the address, over https.'
  return 'That did not work. Try once more.'
}
