import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#lib/secrets.ts'

type Purpose = 'demo booking links' | 'waitlist links'

/** Signs the links of emails to visitors, such as those that move and cancel a booking: each email has the same one. */
export const createLinkToken = (secrets: Secrets, purpose: Purpose, id: string): string =>
  `${id}.${signatureOf(secrets, purpose, id)}`

/** Null for a token that this server didn't sign for this purpose. */
export function linkedId(secrets: Secrets, purpose: Purpose, token: string): string | null {
  const [id = '', signature = ''] = token.split('.')
  const [expected, given] = [signatureOf(secrets, purpose, id), signature].map((text) => Buffer.from(text))
  if (!expected || !given || expected.length !== given.length) return null
  return timingSafeEqual(expected, given) ? id : null
}

const signatureOf = (secrets: Secrets, purpose: Purpose, id: string): string =>
  createHmac('sha256', secrets.derive(purpose)).update(id).digest('base64url')
