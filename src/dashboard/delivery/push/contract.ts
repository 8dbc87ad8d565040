import { createECDH } from 'node:crypto'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')
/** Messages can only be encrypted with a key that is a point of the curve. */
function isPublicKey(text: string): boolean {
  const bytes = bytesOf(text)
  if (bytes.length !== 65 || bytes[0] !== 4) return false
  const own = createECDH('prime256v1')
  own.generateKeys()
  try {
    own.computeSecret(bytes)
    return true
  } catch {
    return false
  }
}

const key = z
  .string()
  .max(200)
  .regex(/^[\w-]+={0,2}$/, 'Must be base64url.')

/** What a browser’s `PushSubscription.toJSON()` returns. */
export const PushSubscriptionDraft = z.object({
  endpoint: z.string().max(1000),
  expirationTime: z.number().nullish(),
  keys: z.object({
    p256dh: key.refine(isPublicKey, 'Must be a public key of the curve P-256: 65 bytes that begin with 4.'),
    auth: key.refine((text) => bytesOf(text).length === 16, 'Must have 16 bytes.'),
  }),
})
export type PushSubscriptionDraft = z.output<typeof PushSubscriptionDraft>

export const PushSubscription = z.object({
  id: Id,
  browser: z.string(),
  endpointHash: z.string().describe('SHA-256 of its endpoint, as hexadecimal digits.'),
  createdAt: Timestamp,
  lastSentAt: Timestamp.nullable(),
})
export type PushSubscription = z.output<typeof PushSubscription>

export const PushSubscriptionList = listOf(PushSubscription).extend({
  publicKey: z.string().describe('The `applicationServerKey` to subscribe with.'),
})
export type PushSubscriptionList = z.output<typeof PushSubscriptionList>
