import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#lib/secrets.ts'

/** HMAC-SHA-256 of a key's text under a pepper that the database alone does not give away. */
export const hashOf = (secrets: Secrets, body: string): string =>
  createHmac('sha256', secrets.derive('identity.api-keys')).update(body).digest('hex')

/** Whether it is the hash of this text, in a time that says nothing; a key that nobody has takes as long. */
export function isHashOf(secrets: Secrets, body: string, hash: string | undefined): boolean {
  const own = hashOf(secrets, body)
  return timingSafeEqual(Buffer.from(own), Buffer.from(hash ?? unknownKeyHash)) && hash !== undefined
}

const unknownKeyHash = '0'.repeat(64)
