import type {
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEventType,
} from '#lib/outgoing-webhooks/contract.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Deliveries, type DeliveriesQuery } from './deliveries.tsx'
import { WebhookSettings } from './webhook-settings.tsx'

export interface WebhookProps {
  webhook: WebhookEndpoint
  events: WebhookEventType[]
  deliveries: WebhookDeliveryList
  /** Which deliveries are listed. */
  query: DeliveriesQuery
  opened: WebhookDeliveryDetail | null
  /** The page's own URL. */
  address: string
}

export const WebhookPage = ({ webhook, events, deliveries, query, opened, address }: WebhookProps) => (
  <div id="webhook-page" hx-get={address} hx-trigger="gone" hx-target="this" hx-swap="outerMorph">
    <WebhookSettings webhook={webhook} events={events} />
    <div class="page" style="--measure: none">
      <Deliveries webhookId={webhook.id} list={deliveries} query={query} opened={opened} />
    </div>
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
