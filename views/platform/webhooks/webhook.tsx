import type {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEventType,
} from '#lib/outgoing-webhooks/contract.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { LivePage } from '#views/ui/live-page.tsx'
import { Deliveries } from './deliveries.tsx'
import { OpenedDelivery } from './opened-delivery.tsx'
import { WebhookSettings } from './webhook-settings.tsx'

export interface WebhookProps {
  webhook: WebhookEndpoint
  events: WebhookEventType[]
  filter?: WebhookDelivery['state']
  cursor?: string
  deliveries: WebhookDeliveryList
  delivery: WebhookDeliveryDetail | null
  address: string
}

export const WebhookPage = ({ webhook, events, filter, cursor, deliveries, delivery, address }: WebhookProps) => (
  <LivePage id="webhook-page" address={address} topics={`webhook:${webhook.id}`}>
    <WebhookSettings webhook={webhook} events={events} />
    {delivery ? <OpenedDelivery webhookId={webhook.id} delivery={delivery} /> : null}
    <Deliveries webhookId={webhook.id} list={deliveries} filter={filter} cursor={cursor} openedId={delivery?.id} />
  </LivePage>
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
