import { z } from 'zod'
import { Id } from '../ids.ts'
import { Timestamp } from '../time.ts'

export const ReceivedWebhook = z.object({
  id: Id,
  webhook: z.string(),
  path: z.string(),
  eventId: z.string().describe('The provider’s ID of the event.'),
  type: z.string().nullable(),
  objectId: z.string().nullable().describe('The provider’s ID of what the event is about.'),
  state: z
    .enum(['waiting', 'handled', 'failed', 'ignored'])
    .describe(
      '`failed`: the event is retried until its retries run out. `ignored`: its type is unknown, or its object isn’t ours.',
    ),
  problem: z.string().nullable(),
  duplicates: z.int().describe('Deliveries after the first one.'),
  attempts: z.int(),
  receivedAt: Timestamp,
  settledAt: Timestamp.nullable(),
})
export type ReceivedWebhook = z.output<typeof ReceivedWebhook>
export type ReceivedRow = z.input<typeof ReceivedWebhook>

export const ReceivedWebhookDetail = ReceivedWebhook.extend({
  body: z.string().describe('The body as text. Bytes that aren’t valid UTF-8 are replaced.'),
})

export type ReceivedWebhookDetail = z.output<typeof ReceivedWebhookDetail>
export type ReceivedDetailRow = z.input<typeof ReceivedWebhookDetail>
