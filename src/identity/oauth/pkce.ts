import { timingSafeEqual } from 'node:crypto'

/** SHA-256 as base64url (RFC 7636). */
export const isChallenge = (text: string | undefined): text is string => /^[A-Za-z0-9_-]{43}$/.test(text ?? '')

export const challengeOf = (verifier: string): string =>
  new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

/** A verifier without a challenge is refused: the client would rely on missing protection (RFC 9700, 2.1.1). */
export function verifyPkce(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier ?? '')) return false
  const digest = new Bun.CryptoHasher('sha256').update(verifier ?? '').digest()
  return timingSafeEqual(digest, Buffer.from(challenge, 'base64url'))
}
