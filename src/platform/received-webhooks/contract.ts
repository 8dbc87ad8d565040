import { z } from 'zod'
import { ReceivedWebhook } from '#lib/incoming-webhooks/contract.ts'
import { listOf } from '#lib/paginate.ts'

export const ReceivedWebhookList = listOf(ReceivedWebhook).extend({
  counts: z.object({ waiting: z.int(), failed: z.int() }).describe('Counts of all webhooks, regardless of filters.'),
  webhooks: z.array(z.string()).describe('The names of all webhooks that receive events.'),
})
export type ReceivedWebhookList = z.output<typeof ReceivedWebhookList>
