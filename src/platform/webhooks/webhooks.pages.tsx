import { z } from 'zod'
import { nullFor404 } from '#lib/errors.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { WebhookDelivery } from '#lib/outgoing-webhooks/contract.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { DeletedWebhook, WebhookPage, type WebhookProps } from '#views/platform/webhooks/webhook.tsx'
import { Webhooks, type WebhooksProps } from '#views/platform/webhooks/webhooks.tsx'
import { DeliverySearch, type DeliveryOperations } from './deliveries.operations.tsx'
import type { WebhookOperations } from './webhooks.operations.tsx'

/** The most that an organization can have. */
const maxWebhooks = 20
const pageSize = 50

export const webhookPagesOf = ({
  listWebhooks,
  listWebhookEvents,
  getWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
}: WebhookOperations & DeliveryOperations) => [
  page({
    path: '/settings/webhooks',
    permission: 'role:admin',
    frame: 'settings',
    header: 'own',
    icon: 'webhook',
    screen: 'keys',
    title: 'Webhooks',
    summary: 'Endpoints that receive events, and their deliveries.',
    keywords: 'events endpoints deliveries',
    query: z.object({}),
    load: async ({ ask }): Promise<WebhooksProps> => {
      const [webhooks, events] = await Promise.all([
        ask(listWebhooks, { limit: maxWebhooks }),
        ask(listWebhookEvents, {}),
      ])
      return { webhooks: webhooks.items, events: events.items }
    },
    view: (props) => <Webhooks {...props} />,
  }),
  page({
    path: '/settings/webhooks/:id',
    permission: 'role:admin',
    frame: 'settings',
    header: 'own',
    screen: 'keys',
    title: ({ webhook }: WebhookProps) => webhook.name,
    query: z.object({
      id: Id,
      delivery: ignoreInvalid(Id),
      state: ignoreInvalid(WebhookDelivery.shape.state),
      q: ignoreInvalid(DeliverySearch),
      cursor: Cursor,
    }),
    load: async ({ ask, input, request: { url } }): Promise<WebhookProps> => {
      const { id, delivery: deliveryId, ...part } = input
      const query = { ...part, limit: pageSize }
      const [webhook, events, deliveries, opened] = await Promise.all([
        ask(getWebhook, { id }),
        ask(listWebhookEvents, {}),
        ask(listWebhookDeliveries, { id, ...query }),
        // A link to a deleted delivery shows the webhook without it.
        deliveryId ? ask(getWebhookDelivery, { id, deliveryId }).catch(nullFor404) : null,
      ])
      return {
        webhook,
        events: events.items,
        deliveries,
        query,
        opened,
        address: url.pathname + url.search,
      }
    },
    view: (props) => <WebhookPage {...props} />,
    gone: () => <DeletedWebhook />,
  }),
]
