import { z } from 'zod'
import { nullFor404 } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { WebhookDelivery } from '#lib/outgoing-webhooks/contract.ts'
import { failingEndpoints, findDelivery, listDeliveries } from '#lib/outgoing-webhooks/deliveries.ts'
import { findEndpoint, isRotating, listEndpoints } from '#lib/outgoing-webhooks/endpoints.ts'
import type { OfferedEvent } from '#lib/outgoing-webhooks/event.ts'
import { page } from '#lib/page.ts'
import { DeletedWebhook, WebhookPage, type WebhookProps } from '#views/platform/webhooks/webhook.tsx'
import { Webhooks, type WebhooksProps } from '#views/platform/webhooks/webhooks.tsx'
import { readableEvents, requireReading } from './webhook-permissions.ts'

/** All webhooks that an organization can have. */
const all = 20
const atOnce = 50

/** Builds the pages of outgoing webhooks. `events` are those that a webhook can subscribe to. */
export const webhookPagesOf = (events: readonly OfferedEvent[]) => [
  page({
    path: '/settings/webhooks',
    permission: 'role:admin',
    frame: 'settings',
    screen: 'keys',
    title: 'Webhooks',
    query: z.object({}),
    load: async (call): Promise<WebhooksProps> => ({
      webhooks: (await listEndpoints(call.db, call.actor, { limit: all })).items,
      failing: await failingEndpoints(call.db, call.actor),
      events: await readableEvents(call, events),
    }),
    view: (shown) => <Webhooks {...shown} />,
  }),
  page({
    path: '/settings/webhooks/:id',
    permission: 'role:admin',
    frame: 'settings',
    screen: 'keys',
    title: ({ webhook }: WebhookProps) => webhook.name,
    query: z.object({
      id: Id,
      delivery: Id.optional().catch(undefined),
      state: WebhookDelivery.shape.state.optional().catch(undefined),
      cursor: z.string().max(500).optional(),
    }),
    load: async (call): Promise<WebhookProps> => {
      const { db, actor, input } = call
      const { id, state, cursor } = input
      const webhook = await findEndpoint(db, actor, id)
      const [{ items, nextCursor }, delivery, offered, failing] = await Promise.all([
        listDeliveries(db, actor, { id, state, limit: atOnce, cursor }),
        // A link to a deleted delivery shows the webhook without it.
        input.delivery ? findDelivery(db, actor, { id, deliveryId: input.delivery }).catch(nullFor404) : null,
        readableEvents(call, events),
        failingEndpoints(db, actor),
      ])
      if (delivery) await requireReading(call, events, [delivery.type])
      return {
        webhook,
        isFailing: failing.has(id),
        isRotating: isRotating(webhook, call.now()),
        events: offered,
        filter: state,
        cursor,
        deliveries: items,
        nextCursor,
        delivery,
        address: call.request.url.pathname + call.request.url.search,
      }
    },
    view: (shown) => <WebhookPage {...shown} />,
    gone: () => <DeletedWebhook />,
  }),
]
