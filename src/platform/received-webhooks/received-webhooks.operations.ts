import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import {
  findReceived,
  listReceived,
  ReceivedWebhook,
  ReceivedWebhookDetail,
  replayReceived,
} from '#lib/incoming-webhooks/received.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { plainText } from '#lib/text.ts'

export const listReceivedWebhooks = operation({
  route: 'GET /api/admin/received-webhooks',
  summary: 'List received webhook events',
  permission: 'super-admin',
  input: z.object({
    webhook: plainText(100).optional().describe('The webhook’s name, such as `payments.stripe`.'),
    state: ReceivedWebhook.shape.state.optional(),
    ...paging,
  }),
  output: listOf(ReceivedWebhook),
  run: ({ db, input }) => listReceived(db, input),
})

export const getReceivedWebhook = operation({
  route: 'GET /api/admin/received-webhooks/:id',
  summary: 'Get a received webhook event with its body',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: ReceivedWebhookDetail,
  run: ({ db, input }) => findReceived(db, input.id),
})

export const replayReceivedWebhook = operation({
  route: 'POST /api/admin/received-webhooks/:id/replay',
  summary: 'Replay a received webhook event',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: ReceivedWebhook,
  problems: { webhook_waiting: 409 },
  run: async (call) => {
    const event = await replayReceived(call, call.input.id)
    return reply(200, event, { next: `/admin/jobs/webhooks?event=${event.id}`, toast: 'Event replayed' })
  },
})
