import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { ReceivedWebhook, ReceivedWebhookDetail } from '#lib/incoming-webhooks/contract.ts'
import { countReceived, findReceived, listReceived, replayReceived } from '#lib/incoming-webhooks/received.ts'
import { operation } from '#lib/operation.ts'
import { parameterOfPage } from '#lib/page.ts'
import { paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { plainText } from '#lib/text.ts'
import { OpenedEvent, ReceivedWebhookEvents } from '#views/platform/received-webhooks.tsx'
import { ReceivedWebhookList } from './contract.ts'

export type ReceivedWebhookOperations = ReturnType<typeof receivedWebhookOperationsOf>

export function receivedWebhookOperationsOf(webhooks: readonly string[]) {
  const getReceivedWebhook = operation({
    route: 'GET /api/admin/received-webhooks/:id',
    summary: 'Get a received webhook event with its body',
    permission: 'super-admin',
    input: z.object({ id: Id }),
    output: ReceivedWebhookDetail,
    run: ({ db, input }) => findReceived(db, input.id),
    view: (event) => <OpenedEvent received={event} />,
  })
  return {
    getReceivedWebhook,

    listReceivedWebhooks: operation({
      route: 'GET /api/admin/received-webhooks',
      summary: 'List received webhook events',
      permission: 'super-admin',
      input: z.object({
        webhook: plainText(100).optional().describe('The webhook’s name, such as `payments.stripe`.'),
        state: ReceivedWebhook.shape.state.optional(),
        ...paging,
      }),
      output: ReceivedWebhookList,
      run: async ({ db, input }) => {
        const [list, counts] = await Promise.all([listReceived(db, input), countReceived(db)])
        return { ...list, counts, webhooks: [...webhooks] }
      },
      view: (list, call) => (
        <ReceivedWebhookEvents list={list} query={call.input} openedId={parameterOfPage(call, 'event')} />
      ),
    }),

    replayReceivedWebhook: operation({
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
      view: async ({ id }, { ask }) => <OpenedEvent received={await ask(getReceivedWebhook, { id })} />,
    }),
  }
}
