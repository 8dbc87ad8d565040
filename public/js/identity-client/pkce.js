/** 256 random bits. */
export const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** The code challenge of a verifier (RFC 7636, S256). @param {string} verifier */
export const challengeOf = async (verifier) =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))

/** @param {Uint8Array} bytes */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
