import type { WebhookDelivery, WebhookDeliveryDetail, WebhookDeliveryList } from '#lib/outgoing-webhooks/contract.ts'
import { Empty } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { addressOf, liveAt, replacing } from '#views/ui/live.ts'
import { Pager } from '#views/ui/lists.tsx'
import { Time } from '#views/ui/time.tsx'
import { OpenedDelivery } from './opened-delivery.tsx'
import { DeliveryState, webhookTopic } from './webhook-state.tsx'

const filters = [
  ['All', undefined],
  ['Waiting', 'waiting'],
  ['Delivered', 'delivered'],
  ['Failed', 'failed'],
] as const

/** Which deliveries are listed: a state, or all without one, of a type or with an ID, from the newest without a cursor. */
export interface DeliveriesQuery {
  state?: WebhookDelivery['state']
  q?: string
  limit: number
  cursor?: string
}

interface DeliveriesProps {
  webhookId: string
  list: WebhookDeliveryList
  query: DeliveriesQuery
  /** The delivery that is shown next to the list. */
  opened: WebhookDeliveryDetail | null
}

const pathOf = (webhookId: string): string => `/settings/webhooks/${webhookId}`
const operationOf = (webhookId: string): string => `/api/webhooks/${webhookId}/deliveries`

/** The deliveries of a webhook with filters, and the opened one next to them. */
export const Deliveries = (props: DeliveriesProps) => (
  <section
    class="section"
    id="delivery-list"
    aria-labelledby="deliveries"
    {...liveAt(addressOf(operationOf(props.webhookId), { ...props.query }), webhookTopic(props.webhookId))}
  >
    <header>
      <h2 id="deliveries">Deliveries</h2>
      {props.list.items.length > 0 || isFiltered(props.query) ? <Filters {...props} /> : null}
    </header>
    {props.opened ? (
      <div class="reader" data-open>
        <List {...props} />
        <OpenedDelivery
          webhookId={props.webhookId}
          delivery={props.opened}
          back={showing(props, props.query, '').href}
        />
      </div>
    ) : props.list.items.length > 0 ? (
      <div class="card">
        <List {...props} />
      </div>
    ) : (
      <Empty
        icon="send"
        title={isFiltered(props.query) ? 'No matching deliveries' : 'No deliveries yet'}
        text="Deliveries from the last 30 days appear here."
        heading="h2"
        small
      />
    )}
    {props.list.nextCursor ? <Older {...props} /> : null}
  </section>
)

/** The attributes of a link to other deliveries: as a page, and in place. */
const showing = (
  { webhookId, query: { limit }, opened }: DeliveriesProps,
  { state, q, cursor }: Omit<DeliveriesQuery, 'limit'>,
  delivery = opened?.id,
) => ({
  href: addressOf(pathOf(webhookId), { delivery, state, q, cursor }),
  ...replacing('#delivery-list', addressOf(operationOf(webhookId), { state, q, cursor, limit })),
})

const isFiltered = ({ state, q }: DeliveriesQuery): boolean => state !== undefined || q !== undefined

const Filters = (props: DeliveriesProps) => {
  const { state, q, limit } = props.query
  return (
    <div class="row" data-wrap>
      <form
        class="filters"
        role="search"
        aria-label="Search deliveries"
        action={pathOf(props.webhookId)}
        hx-get={operationOf(props.webhookId)}
        hx-vals={JSON.stringify({ limit })}
        hx-target="#delivery-list"
        hx-swap="outerMorph"
        hx-push-url="true"
        hx-sync="this:replace"
        hx-trigger="submit, search from:find input"
      >
        {state ? <input type="hidden" name="state" value={state} /> : null}
        <label class="input">
          <Icon name="search" />
          <input
            id="delivery-search"
            type="search"
            name="q"
            aria-label="Event or ID"
            placeholder="Event or ID"
            value={q ?? ''}
            maxlength={100}
            autocomplete="off"
          />
        </label>
      </form>
      <nav class="segments" aria-label="Filter by state">
        {filters.map(([label, each]) => (
          <a {...showing(props, { state: each, q })} aria-current={state === each ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </div>
  )
}

const List = ({ webhookId, list, query: { state, q, cursor }, opened }: DeliveriesProps) => (
  <ul class="list" data-links data-settings aria-label="Deliveries, newest first">
    {list.items.map((delivery) => (
      <DeliveryRow
        delivery={delivery}
        href={addressOf(pathOf(webhookId), { delivery: delivery.id, state, q, cursor })}
        isOpen={delivery.id === opened?.id}
      />
    ))}
  </ul>
)

const Older = (props: DeliveriesProps) => {
  const { href, ...inPlace } = showing(props, {
    state: props.query.state,
    q: props.query.q,
    cursor: props.list.nextCursor ?? undefined,
  })
  return (
    <Pager
      label="Older deliveries"
      summary={`${props.list.items.length} shown`}
      action="Older"
      next={href}
      {...inPlace}
    />
  )
}

interface DeliveryRowProps {
  delivery: WebhookDelivery
  /** The page with this delivery opened. */
  href: string
  /** Whether it is shown next to the list. */
  isOpen?: boolean
}

/** The row of a new delivery, which is the first of all. */
export const NewDelivery = ({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) => (
  <DeliveryRow delivery={delivery} href={addressOf(pathOf(webhookId), { delivery: delivery.id })} />
)

const DeliveryRow = ({ delivery, href, isOpen }: DeliveryRowProps) => (
  <li id={`delivery-${delivery.id}`}>
    <span class="grow">
      <a class="row-link" href={`${href}#delivery`} aria-current={isOpen ? 'true' : undefined}>
        <code safe>{delivery.type}</code>
      </a>
      <small safe>{attemptsOf(delivery)}</small>
      <small>
        <Time at={delivery.createdAt} form="exact" />
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
