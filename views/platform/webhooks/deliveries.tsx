import type { WebhookDelivery, WebhookDeliveryList } from '#lib/outgoing-webhooks/contract.ts'
import { Empty } from '#views/ui/feedback.tsx'
import { Pager } from '#views/ui/lists.tsx'
import { Time } from '#views/ui/time.tsx'
import { DeliveryState } from './webhook-state.tsx'

const filters = [
  ['All', undefined],
  ['Waiting', 'waiting'],
  ['Delivered', 'delivered'],
  ['Failed', 'failed'],
] as const

interface DeliveriesProps {
  webhookId: string
  list: WebhookDeliveryList
  filter?: WebhookDelivery['state']
  cursor?: string
  openedId?: string
}

export const Deliveries = ({ webhookId, list: { items, nextCursor }, filter, cursor, openedId }: DeliveriesProps) => (
  <section class="section" aria-labelledby="deliveries">
    <h2 id="deliveries">Deliveries</h2>
    {items.length > 0 || filter ? (
      <nav class="segments" aria-label="Filter by state">
        {filters.map(([label, state]) => (
          <a href={deliveriesHref(webhookId, { state })} aria-current={filter === state ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    ) : null}
    {items.length > 0 ? (
      <ul class="list" data-links aria-label="Deliveries, newest first">
        {items.map((delivery) => (
          <DeliveryRow
            webhookId={webhookId}
            delivery={delivery}
            filter={filter}
            cursor={cursor}
            isOpen={delivery.id === openedId}
          />
        ))}
      </ul>
    ) : (
      <Empty
        icon="send"
        title={filter ? 'No matching deliveries' : 'No deliveries yet'}
        text="Deliveries from the last 30 days appear here."
        heading="h2"
        small
      />
    )}
    {nextCursor ? (
      <Pager
        label="More deliveries"
        summary={`${items.length} shown`}
        next={deliveriesHref(webhookId, { state: filter, cursor: nextCursor })}
      />
    ) : null}
  </section>
)

interface DeliveriesQuery {
  state?: string
  cursor?: string
  delivery?: string
}

function deliveriesHref(id: string, { state, cursor, delivery }: DeliveriesQuery): string {
  const query = new URLSearchParams({
    ...(delivery && { delivery }),
    ...(state && { state }),
    ...(cursor && { cursor }),
  })
  return `/settings/webhooks/${id}${query.size > 0 ? `?${query}` : ''}`
}

interface DeliveryRowProps extends Pick<DeliveriesProps, 'webhookId' | 'filter' | 'cursor'> {
  delivery: WebhookDelivery
  isOpen?: boolean
}

export const DeliveryRow = ({ webhookId, delivery, filter, cursor, isOpen }: DeliveryRowProps) => (
  <li id={`delivery-${delivery.id}`}>
    <span class="grow">
      <a
        class="row-link"
        href={`${deliveriesHref(webhookId, { state: filter, cursor, delivery: delivery.id })}#delivery`}
        aria-current={isOpen ? 'true' : undefined}
      >
        <code safe>{delivery.type}</code>
      </a>
      <small>
        <Time at={delivery.createdAt} zone="UTC" form="exact" />
        <span safe>{`, ${attemptsOf(delivery)}`}</span>
      </small>
    </span>
    <DeliveryState {...delivery} />
  </li>
)

const attemptsOf = ({ attempts, lastStatus }: WebhookDelivery): string => {
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  if (attempts === 0) return count
  return lastStatus === null ? `${count}, no response` : `${count}, status ${lastStatus}`
}
