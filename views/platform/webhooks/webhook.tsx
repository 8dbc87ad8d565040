import type {
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEventType,
} from '#lib/outgoing-webhooks/contract.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Deliveries, type DeliveriesQuery } from './deliveries.tsx'
import { OpenedDelivery } from './opened-delivery.tsx'
import { WebhookSettings } from './webhook-settings.tsx'

export interface WebhookProps {
  webhook: WebhookEndpoint
  events: WebhookEventType[]
  deliveries: WebhookDeliveryList
  /** Which deliveries are listed. */
  query: DeliveriesQuery
  /** The opened delivery. */
  delivery: WebhookDeliveryDetail | null
  address: string
}

/** One webhook with its settings and deliveries. */
export const WebhookPage = ({ webhook, events, deliveries, query, delivery, address }: WebhookProps) => (
  <div
    id="webhook-page"
    class="page stack"
    style="--measure: 60rem; --gap: var(--space-8)"
    hx-get={address}
    hx-trigger="gone"
    hx-target="this"
    hx-swap="outerMorph"
  >
    <WebhookSettings webhook={webhook} events={events} />
    {delivery ? <OpenedDelivery webhookId={webhook.id} delivery={delivery} /> : null}
    <Deliveries webhookId={webhook.id} list={deliveries} query={query} openedId={delivery?.id} />
  </div>
)

/** Replaces a webhook that was deleted while its page was open. */
export const DeletedWebhook = () => (
  <>
    <title>Webhook deleted · Atrium</title>
    <div id="webhook-page" class="page">
      <Empty icon="trash-2" title="This webhook was deleted" text="Its delivery log was deleted with it.">
        <ButtonLink label="View all webhooks" href="/settings/webhooks" />
      </Empty>
    </div>
  </>
)
