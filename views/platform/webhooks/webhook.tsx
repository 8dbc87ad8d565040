import type {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookEventType,
} from '#lib/outgoing-webhooks/contract.ts'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { Fold } from '#views/ui/fold.tsx'
import { Notice } from '#views/ui/notice.tsx'
import { Pager } from '#views/ui/pager.tsx'
import { Payload, prettyJson } from '#views/ui/payload.tsx'
import { Time } from '#views/ui/time.tsx'
import { DeleteDialog, deleteDialog, EditDialog, editDialog, RotateDialog, rotateDialog } from './webhook-dialogs.tsx'
import { DeliveryState, WebhookState } from './webhook-state.tsx'

export interface WebhookProps {
  webhook: WebhookEndpoint
  /** Whether its newest delivery failed. */
  isFailing: boolean
  /** Whether the secret before the last rotation is still valid. */
  isRotating: boolean
  events: WebhookEventType[]
  /** The deliveries that are listed; all without one. */
  filter?: WebhookDelivery['state']
  /** Where the listed ones begin; at the newest without one. */
  cursor?: string
  deliveries: WebhookDelivery[]
  nextCursor: string | null
  /** The opened delivery. */
  delivery: WebhookDeliveryDetail | null
  /** The page's own address. */
  address: string
}

/** One webhook with its settings and deliveries. */
export const WebhookPage = (props: WebhookProps) => (
  <div
    id="webhook-page"
    class="page stack"
    style="--measure: 60rem; --gap: var(--space-8)"
    hx-get={props.address}
    data-live={`webhook:${props.webhook.id}`}
    hx-trigger="live"
    hx-target="this"
    hx-select="#webhook-page"
    hx-swap="outerMorph"
  >
    <About {...props} />
    {props.delivery ? <Delivery webhook={props.webhook} delivery={props.delivery} /> : null}
    <Deliveries {...props} />
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

const About = ({ webhook, isFailing, isRotating, events }: WebhookProps) => {
  const { id, name, url, state, previousSecretEndsAt } = webhook
  const at = `/api/webhooks/${id}`
  return (
    <section class="section" aria-labelledby="webhook">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/settings/webhooks">Webhooks</a>
      </nav>
      <header>
        <h2 id="webhook" class="wrap-anywhere" safe>
          {name}
        </h2>
        {state === 'enabled' ? (
          <Button id="send-test" label="Send test event" icon="send" hx-post={`${at}/test`} hx-swap="none" />
        ) : null}
      </header>
      {state === 'disabled' ? (
        <Notice
          tone="danger"
          title="This webhook is disabled"
          text="Your server responded with 410 Gone. Fix the URL or your server, then enable the webhook."
        />
      ) : null}
      <dl class="facts">
        <dt>URL</dt>
        <dd class="wrap-anywhere" safe>
          {url}
        </dd>
        <dt>State</dt>
        <dd>
          <WebhookState state={state} isFailing={isFailing} />
        </dd>
        <dt>Events</dt>
        <dd class="wrap-anywhere" safe>
          {webhook.events.join(', ')}
        </dd>
        <dt>Secret</dt>
        <dd>
          {isRotating && previousSecretEndsAt ? (
            <>
              Old secret valid until <Time at={previousSecretEndsAt} zone="UTC" />
            </>
          ) : (
            'Shown once, when created'
          )}
        </dd>
      </dl>
      <div class="actions">
        <Button label="Edit" icon="pen-line" commandfor={editDialog} command="show-modal" />
        {state === 'enabled' ? (
          <Button label="Pause" icon="pause" {...sets(at, 'paused')} />
        ) : (
          <Button label="Enable" icon="circle-check" variant="primary" {...sets(at, 'enabled')} />
        )}
        <Button label="Rotate secret" icon="rotate-cw" commandfor={rotateDialog} command="show-modal" />
        <Button label="Delete" icon="trash-2" variant="quiet-danger" commandfor={deleteDialog} command="show-modal" />
      </div>
      <EditDialog webhook={webhook} events={events} />
      <RotateDialog webhook={webhook} isRotating={isRotating} />
      <DeleteDialog webhook={webhook} />
    </section>
  )
}

const sets = (at: string, state: 'enabled' | 'paused') =>
  ({
    'hx-patch': at,
    'hx-vals': JSON.stringify({ state }),
    'hx-swap': 'none',
    id: 'switch-state',
  }) as const

const filters = [
  ['All', undefined],
  ['Waiting', 'waiting'],
  ['Delivered', 'delivered'],
  ['Failed', 'failed'],
] as const

const Deliveries = ({ webhook, filter, cursor, deliveries, nextCursor, delivery: opened }: WebhookProps) => (
  <section class="section" aria-labelledby="deliveries">
    <h2 id="deliveries">Deliveries</h2>
    {deliveries.length > 0 || filter ? (
      <nav class="segments" aria-label="State of deliveries">
        {filters.map(([label, state]) => (
          <a href={deliveriesHref(webhook.id, { state })} aria-current={filter === state ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    ) : null}
    {deliveries.length > 0 ? (
      <ul class="list" data-links aria-label="Deliveries, newest first">
        {deliveries.map((delivery) => (
          <Row
            delivery={delivery}
            href={`${deliveriesHref(webhook.id, { state: filter, cursor, delivery: delivery.id })}#delivery`}
            isOpen={delivery.id === opened?.id}
          />
        ))}
      </ul>
    ) : (
      <Empty
        icon="send"
        title={filter ? 'No matching deliveries' : 'No deliveries yet'}
        text="Deliveries of the last 30 days appear here."
        heading="h2"
        small
      />
    )}
    {nextCursor ? (
      <Pager
        label="More deliveries"
        summary={`${deliveries.length} shown`}
        next={deliveriesHref(webhook.id, { state: filter, cursor: nextCursor })}
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

interface RowProps {
  delivery: WebhookDelivery
  href: string
  /** Whether it is shown above the list. */
  isOpen: boolean
}

const Row = ({ delivery, href, isOpen }: RowProps) => (
  <li id={`delivery-${delivery.id}`}>
    <span class="grow">
      <a class="row-link" href={href} aria-current={isOpen ? 'true' : undefined}>
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

const Delivery = ({ webhook, delivery }: { webhook: WebhookEndpoint; delivery: WebhookDeliveryDetail }) => (
  <section class="section" aria-labelledby="delivery">
    <header>
      <h2 id="delivery" class="wrap-anywhere" tabindex="-1" safe>
        {`Delivery of ${delivery.type}`}
      </h2>
      {webhook.state === 'enabled' ? (
        <Button
          id="replay"
          label="Replay"
          icon="rotate-cw"
          hx-post={`/api/webhooks/${webhook.id}/deliveries/${delivery.id}/replay`}
          hx-swap="none"
        />
      ) : null}
    </header>
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <DeliveryState {...delivery} />
      </dd>
      <dt>Message</dt>
      <dd class="mono wrap-anywhere" safe>
        {delivery.messageId}
      </dd>
      {delivery.nextAttemptAt ? (
        <>
          <dt>Next attempt</dt>
          <dd>
            <Time at={delivery.nextAttemptAt} zone="UTC" />
          </dd>
        </>
      ) : null}
    </dl>
    <copy-text>
      <div class="row">
        <h3>Request</h3>
        <Button label="Copy request body" icon="copy" iconOnly variant="ghost" size="sm" data-copy />
        <span class="muted small" role="status" />
      </div>
      <Payload label="Request body" text={prettyJson(delivery.body)} />
    </copy-text>
    <h3>Attempts</h3>
    {delivery.log.length > 0 ? (
      <ul class="list" aria-label="Attempts, newest first">
        {delivery.log.map((attempt, at) => (
          <li id={`attempt-${attempt.number}`}>
            <Attempt attempt={attempt} open={at === 0} />
          </li>
        ))}
      </ul>
    ) : (
      <p class="muted">No attempts yet.</p>
    )}
  </section>
)

/** 12 ms, 10.0 s */
const durationText = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`)

const Attempt = ({ attempt, open }: { attempt: WebhookDeliveryDetail['log'][number]; open: boolean }) => {
  const { status, answer, problem, at, durationMs } = attempt
  const text = problem ?? answer
  const summary = (
    <>
      <strong safe>{status === null ? 'No response' : String(status)}</strong>{' '}
      <small>
        <Time at={at} zone="UTC" form="exact" />
        <span safe>{` in ${durationText(durationMs)}`}</span>
      </small>
    </>
  )
  if (!text) return <span class="grow">{summary}</span>
  return (
    <div class="grow">
      <Fold open={open} summary={summary}>
        <Payload label={problem === null ? 'Response body' : 'Problem'} text={prettyJson(text)} />
      </Fold>
    </div>
  )
}
