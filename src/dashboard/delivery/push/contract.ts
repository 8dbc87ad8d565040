import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')
const key = z
  .string()
  .max(200)
  .regex(/^[\w-]+={0,2}$/, 'Must be base64url.')

/** What a browser’s `PushSubscription.toJSON()` returns. */
export const PushSubscriptionDraft = z.object({
  endpoint: z.string().max(1000),
  expirationTime: z.number().nullish(),
  keys: z.object({
    p256dh: key.refine((text) => {
      const bytes = bytesOf(text)
      return bytes.length === 65 && bytes[0] === 4
    }, 'Must be a public key of the curve P-256: 65 bytes that begin with 4.'),
    auth: key.refine((text) => bytesOf(text).length === 16, 'Must have 16 bytes.'),
  }),
})
export type PushSubscriptionDraft = z.output<typeof PushSubscriptionDraft>

export const PushSubscription = z.object({
  id: Id,
  browser: z.string(),
  createdAt: Timestamp,
  lastSentAt: Timestamp.nullable(),
})
export type PushSubscription = z.output<typeof PushSubscription>

export const PushSubscriptionList = listOf(PushSubscription).extend({
  publicKey: z.string().describe('The `applicationServerKey` to subscribe with.'),
})
export type PushSubscriptionList = z.output<typeof PushSubscriptionList>
