import { z } from 'zod'
import { nullFor404 } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import {
  FailedReplay,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
} from '#lib/outgoing-webhooks/contract.ts'
import {
  failedTypes,
  findDelivery,
  listDeliveries,
  replayDelivery,
  replayFailed,
  sendTest,
} from '#lib/outgoing-webhooks/deliveries.ts'
import { findEndpoint } from '#lib/outgoing-webhooks/endpoints.ts'
import type { OfferedEvent } from '#lib/outgoing-webhooks/event.ts'
import { parameterOfPage } from '#lib/page.ts'
import { paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { plainText } from '#lib/text.ts'
import { Deliveries, NewDelivery } from '#views/platform/webhooks/deliveries.tsx'
import { OpenedDelivery } from '#views/platform/webhooks/opened-delivery.tsx'
import { requireReading } from '#lib/outgoing-webhooks/permissions.ts'

const permission = 'role:admin'
export const DeliverySearch = plainText(100).trim().min(1)
const pageSize = 50

function replayedText({ replayed, remaining }: z.output<typeof FailedReplay>): string {
  if (replayed === 0) return 'No failed deliveries'
  const words = replayed === 1 ? '1 event resent' : `${replayed} events resent`
  return remaining > 0
    ? `${words}. ${remaining > 1_000 ? 'More than 1,000' : remaining} failed deliveries are left`
    : words
}

const pageOf = (id: string): string => `/settings/webhooks/${id}`

export type DeliveryOperations = ReturnType<typeof deliveryOperationsOf>

export function deliveryOperationsOf(events: readonly OfferedEvent[]) {
  const getWebhookDelivery = operation({
    route: 'GET /api/webhooks/:id/deliveries/:deliveryId',
    summary: 'Get a webhook delivery',
    permission,
    input: z.object({ id: Id, deliveryId: Id }),
    output: WebhookDeliveryDetail,
    problems: { whole_organization_needed: 403 },
    run: async (call) => {
      const delivery = await findDelivery(call.db, call.actor, call.input)
      await requireReading(call, events, [delivery.type])
      return delivery
    },
    view: (delivery, { input }) => <OpenedDelivery webhookId={input.id} delivery={delivery} />,
  })
  const listWebhookDeliveries = operation({
    route: 'GET /api/webhooks/:id/deliveries',
    summary: 'List webhook deliveries',
    permission,
    input: z.object({
      id: Id,
      state: WebhookDelivery.shape.state.optional(),
      q: DeliverySearch.optional().describe('A type of event, or the ID of a message or delivery.'),
      ...paging,
    }),
    output: WebhookDeliveryList,
    run: ({ db, actor, input }) => listDeliveries(db, actor, input),
    view: async (list, call) => {
      const { id, ...query } = call.input
      const deliveryId = Id.safeParse(parameterOfPage(call, 'delivery')).data
      const opened = deliveryId ? await call.ask(getWebhookDelivery, { id, deliveryId }).catch(nullFor404) : null
      return <Deliveries webhookId={id} list={list} query={query} opened={opened} />
    },
  })
  return {
    getWebhookDelivery,
    listWebhookDeliveries,

    testWebhook: operation({
      route: 'POST /api/webhooks/:id/test',
      summary: 'Send a test event to a webhook',
      permission,
      input: z.object({ id: Id }),
      output: WebhookDelivery,
      creates: true,
      problems: { webhook_not_enabled: 409, test_waiting: 409 },
      run: async (call) => {
        const delivery = await sendTest(call, call.input.id)
        return reply(201, delivery, { next: pageOf(call.input.id), toast: 'Test event sent' })
      },
      view: (delivery, { input }) => <NewDelivery webhookId={input.id} delivery={delivery} />,
    }),

    replayFailedDeliveries: operation({
      route: 'POST /api/webhooks/:id/replay-failed',
      summary: 'Replay the failed deliveries of a webhook',
      permission,
      input: z.object({ id: Id }),
      output: FailedReplay,
      problems: { webhook_not_enabled: 409, whole_organization_needed: 403 },
      run: async (call) => {
        const { id } = call.input
        await findEndpoint(call.db, call.actor, id)
        await requireReading(call, events, await failedTypes(call.db, id))
        const result = await replayFailed(call, id)
        return reply(200, result, { next: pageOf(id), toast: replayedText(result) })
      },
      view: async (_, { ask, input: { id } }) => (
        <Deliveries
          webhookId={id}
          list={await ask(listWebhookDeliveries, { id, limit: pageSize })}
          query={{ limit: pageSize }}
          opened={null}
        />
      ),
    }),

    replayWebhookDelivery: operation({
      route: 'POST /api/webhooks/:id/deliveries/:deliveryId/replay',
      summary: 'Replay a webhook delivery',
      permission,
      input: z.object({ id: Id, deliveryId: Id }),
      output: WebhookDelivery,
      problems: { webhook_not_enabled: 409, whole_organization_needed: 403 },
      run: async (call) => {
        const { type } = await findDelivery(call.db, call.actor, call.input)
        await requireReading(call, events, [type])
        const delivery = await replayDelivery(call, call.input)
        return reply(200, delivery, {
          next: `${pageOf(call.input.id)}?delivery=${call.input.deliveryId}`,
          toast: 'Event resent',
        })
      },
      view: async (_, { ask, input: { id, deliveryId } }) => (
        <OpenedDelivery webhookId={id} delivery={await ask(getWebhookDelivery, { id, deliveryId })} />
      ),
    }),
  }
}
