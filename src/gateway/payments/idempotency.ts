import { createHash } from 'node:crypto'
import { invalid } from '#lib/errors.ts'

const maxLength = 255

/**
 * The caller’s Idempotency-Key as the provider gets it: organizations that share an account can’t meet each other’s.
 * @throws {Problem} 422 without one
 */
export function providerKeyOf(headers: Headers, organizationId: string): string {
  const key = headers.get('idempotency-key') ?? ''
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid([
      {
        path: 'Idempotency-Key',
        message: 'Required: 1 to 255 visible ASCII characters, such as a UUID. A repeated request has the same.',
      },
    ])
  const scoped = `${organizationId}:${key}`
  return scoped.length <= maxLength ? scoped : `${organizationId}:${createHash('sha256').update(key).digest('hex')}`
}
