import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#lib/secrets.ts'

/** HMAC-SHA-256 with a pepper that isn't in the database. */
export const hashOf = (secrets: Secrets, body: string): string =>
  createHmac('sha256', secrets.derive('identity.api-keys')).update(body).digest('hex')

/** In constant time, also for an unknown key. */
export function isHashOf(secrets: Secrets, body: string, hash: string | undefined): boolean {
  const own = hashOf(secrets, body)
  return timingSafeEqual(Buffer.from(own), Buffer.from(hash ?? unknownKeyHash)) && hash !== undefined
}

const unknownKeyHash = '0'.repeat(64)
