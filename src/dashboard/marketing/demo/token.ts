import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#lib/secrets.ts'

/** Signs the links that move and cancel a booking: the reminder has the same ones as the invitation. */
export const bookingToken = (secrets: Secrets, id: string): string => `${id}.${signatureOf(secrets, id)}`

/** Null for a token that this server didn't sign. */
export function bookingIdIn(secrets: Secrets, token: string): string | null {
  const [id = '', signature = ''] = token.split('.')
  const [expected, given] = [signatureOf(secrets, id), signature].map((text) => Buffer.from(text))
  if (!expected || !given || expected.length !== given.length) return null
  return timingSafeEqual(expected, given) ? id : null
}

const signatureOf = (secrets: Secrets, id: string): string =>
  createHmac('sha256', secrets.derive('demo booking links')).update(id).digest('base64url')
