import { z } from 'zod'
import { Id } from '../ids.ts'
import { Timestamp } from '../time.ts'

export const ReceivedWebhook = z.object({
  id: Id,
  webhook: z.string(),
  path: z.string(),
  eventId: z.string().describe('The provider’s ID of the event.'),
  type: z.string().nullable(),
  state: z.enum(['waiting', 'handled', 'failed']).describe('`failed`: the event is retried until its retries run out.'),
  problem: z.string().nullable(),
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
