import type { ReceivedWebhook, ReceivedWebhookDetail } from '#lib/incoming-webhooks/received.ts'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { Pager } from '#views/ui/pager.tsx'
import { Payload, prettyJson } from '#views/ui/payload.tsx'
import { StatusMark, type StatusLook } from '#views/ui/status.tsx'
import { Time } from '#views/ui/time.tsx'

export interface ReceivedWebhooksProps {
  /** The names of all webhooks. */
  webhooks: string[]
  /** Which events are listed; all without one. */
  filter: { webhook?: string; state?: ReceivedWebhook['state'] }
  /** Where the listed ones begin; at the newest without one. */
  cursor?: string
  received: ReceivedWebhook[]
  nextCursor: string | null
  /** The opened event. */
  opened: ReceivedWebhookDetail | null
  /** The page's own address. */
  address: string
}

export const receivedWebhooksPath = '/admin/jobs/webhooks'

/** The events that providers sent. */
export const ReceivedWebhooks = (props: ReceivedWebhooksProps) => (
  <div
    id="received-webhooks"
    class="page stack"
    style="--measure: 60rem; --gap: var(--space-8)"
    hx-get={props.address}
    data-live="often"
    hx-trigger="live"
    hx-target="this"
    hx-select="#received-webhooks"
    hx-swap="outerMorph"
  >
    {props.opened ? <Opened received={props.opened} /> : null}
    <section class="section" aria-labelledby="received">
      {props.opened ? null : <Crumbs />}
      <h2 id="received">Received webhooks</h2>
      <p class="muted prose">Events that providers sent in the last 90 days.</p>
      <Filters {...props} />
      {props.received.length > 0 ? (
        <List {...props} />
      ) : (
        <Nothing isFiltered={props.address !== receivedWebhooksPath} />
      )}
    </section>
  </div>
)

const Crumbs = () => (
  <nav class="crumbs" aria-label="Breadcrumb">
    <a href="/admin/jobs">Jobs</a>
  </nav>
)

const Nothing = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty
    icon="download"
    title={isFiltered ? 'No matching events' : 'No events yet'}
    text="Events appear here when a provider sends them."
    heading="h2"
    small
  />
)

const states = [
  ['All', undefined],
  ['Waiting', 'waiting'],
  ['Handled', 'handled'],
  ['Failed', 'failed'],
] as const

const Filters = ({ webhooks, filter }: ReceivedWebhooksProps) => (
  <>
    {webhooks.length > 1 ? (
      <nav class="segments" aria-label="Webhook">
        {[undefined, ...webhooks].map((webhook) => (
          <a href={hrefOf({ ...filter, webhook })} aria-current={filter.webhook === webhook ? 'page' : undefined} safe>
            {webhook ?? 'All webhooks'}
          </a>
        ))}
      </nav>
    ) : null}
    <nav class="segments" aria-label="State of events">
      {states.map(([label, state]) => (
        <a href={hrefOf({ ...filter, state })} aria-current={filter.state === state ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  </>
)

function hrefOf(query: { event?: string; webhook?: string; state?: string; cursor?: string }): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return given.length > 0 ? `${receivedWebhooksPath}?${new URLSearchParams(given)}` : receivedWebhooksPath
}

const List = ({ received, filter, cursor, nextCursor, opened }: ReceivedWebhooksProps) => (
  <>
    <ul class="list" data-links aria-label="Received events, newest first">
      {received.map((each) => (
        <Row
          received={each}
          href={`${hrefOf({ event: each.id, ...filter, cursor })}#event`}
          isOpen={each.id === opened?.id}
        />
      ))}
    </ul>
    {nextCursor ? (
      <Pager
        label="More events"
        summary={`${received.length} shown`}
        next={hrefOf({ ...filter, cursor: nextCursor })}
      />
    ) : null}
  </>
)

interface RowProps {
  received: ReceivedWebhook
  href: string
  /** Whether it is shown above the list. */
  isOpen: boolean
}

const Row = ({ received, href, isOpen }: RowProps) => (
  <li id={`received-${received.id}`}>
    <span class="grow">
      <a class="row-link" href={href} aria-current={isOpen ? 'true' : undefined}>
        <code class="wrap-anywhere" safe>
          {nameOf(received)}
        </code>
      </a>
      <small class="wrap-anywhere" safe>
        {received.webhook}
      </small>
      {received.problem ? (
        <small class="wrap-anywhere" safe>
          {received.problem}
        </small>
      ) : null}
      <small>
        <Time at={received.receivedAt} zone="UTC" form="exact" />
      </small>
    </span>
    <EventState state={received.state} />
  </li>
)

const nameOf = ({ type, eventId }: ReceivedWebhook): string => type ?? eventId

const looks: Record<ReceivedWebhook['state'], StatusLook> = {
  waiting: { state: 'waiting', icon: 'hourglass', word: 'Waiting' },
  handled: { state: 'published', icon: 'circle-check', word: 'Handled' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
}

const EventState = ({ state }: Pick<ReceivedWebhook, 'state'>) => <StatusMark {...looks[state]} />

const Opened = ({ received }: { received: ReceivedWebhookDetail }) => (
  <section class="section" aria-labelledby="event">
    <Crumbs />
    <header>
      <h2 id="event" class="wrap-anywhere" tabindex="-1" safe>
        {`Event ${nameOf(received)}`}
      </h2>
      {received.state === 'waiting' ? null : (
        <Button
          id="replay"
          label="Replay"
          icon="rotate-cw"
          hx-post={`/api/admin/received-webhooks/${received.id}/replay`}
          hx-swap="none"
        />
      )}
    </header>
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <EventState state={received.state} />
      </dd>
      <dt>Webhook</dt>
      <dd class="wrap-anywhere" safe>
        {received.webhook}
      </dd>
      <dt>URL path</dt>
      <dd class="mono wrap-anywhere" safe>
        {received.path}
      </dd>
      <dt>Event ID</dt>
      <dd class="mono wrap-anywhere" safe>
        {received.eventId}
      </dd>
      <dt>Received</dt>
      <dd>
        <Time at={received.receivedAt} zone="UTC" form="exact" />
      </dd>
      {received.settledAt ? (
        <>
          <dt safe>{looks[received.state].word}</dt>
          <dd>
            <Time at={received.settledAt} zone="UTC" form="exact" />
          </dd>
        </>
      ) : null}
    </dl>
    {received.problem ? (
      <>
        <h3>Error</h3>
        <Payload label="Error" text={received.problem} />
      </>
    ) : null}
    <copy-text>
      <div class="row">
        <h3>Body</h3>
        <Button label="Copy body" icon="copy" iconOnly variant="ghost" size="sm" data-copy />
        <span class="muted small" role="status" />
      </div>
      <Payload label="Body" text={prettyJson(received.body)} />
    </copy-text>
  </section>
)
