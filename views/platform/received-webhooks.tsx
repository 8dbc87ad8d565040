import type { ReceivedWebhook, ReceivedWebhookDetail } from '#lib/incoming-webhooks/contract.ts'
import type { ReceivedWebhookList } from '#platform/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { addressOf, liveAt, replacing } from '#views/ui/live.ts'
import { Pager } from '#views/ui/lists.tsx'
import { Payload, prettyJson } from '#views/ui/payload.tsx'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'

export interface ReceivedWebhooksProps extends EventsProps {
  /** The opened event. */
  opened: ReceivedWebhookDetail | null
}

interface EventsProps {
  list: ReceivedWebhookList
  /** Which events are listed. */
  query: { webhook?: string; state?: ReceivedWebhook['state']; limit: number; cursor?: string }
  /** The event that is shown above the list. */
  openedId?: string
}

export const receivedWebhooksPath = '/admin/jobs/webhooks'

/** The page of events that providers sent. */
export const ReceivedWebhooks = ({ opened, ...events }: ReceivedWebhooksProps) => (
  <>
    <PageHeader title="Received webhooks" crumbs={[{ href: '/admin/jobs', label: 'Jobs' }]} />
    <div class="page stack" style="--gap: var(--space-8)">
      {opened ? <OpenedEvent received={opened} /> : null}
      <ReceivedWebhookEvents {...events} />
    </div>
  </>
)

const operation = '/api/admin/received-webhooks'

/** The events that providers sent, with filters. */
export const ReceivedWebhookEvents = (props: EventsProps) => (
  <section
    class="section"
    id="received-events"
    aria-labelledby="received"
    {...liveAt(addressOf(operation, props.query), 'often')}
  >
    <h2 id="received">Events</h2>
    <p class="muted prose">
      Events that providers sent in the last 90 days: <ReceivedCounts counts={props.list.counts} />.
    </p>
    <Filters {...props} />
    {props.list.items.length > 0 ? (
      <List {...props} />
    ) : (
      <Nothing isFiltered={Boolean(props.query.webhook ?? props.query.state)} />
    )}
  </section>
)

/** The counts of all events, which the page of jobs shows too. */
const ReceivedCounts = ({ counts: { waiting, failed }, ...attributes }: CountsProps) => (
  <span id="received-counts" {...attributes} safe>
    {`${waiting} waiting, ${failed} failed`}
  </span>
)

type CountsProps = Pick<ReceivedWebhookList, 'counts'> & JSX.HtmlTag

/** The same on another page. */
export const LiveReceivedCounts = (props: Pick<ReceivedWebhookList, 'counts'>) => (
  <ReceivedCounts {...props} {...liveAt(`${operation}?limit=1`, 'often')} hx-select="#received-counts" />
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
  ['Ignored', 'ignored'],
] as const

const Filters = ({ list: { webhooks }, query: { webhook, state, limit }, openedId }: EventsProps) => {
  const shows = (filter: { webhook?: string; state?: string }) => ({
    href: addressOf(receivedWebhooksPath, { event: openedId, ...filter }),
    ...replacing('#received-events', addressOf(operation, { ...filter, limit })),
  })
  return (
    <>
      {webhooks.length > 1 ? (
        <nav class="segments" aria-label="Webhook">
          {[undefined, ...webhooks].map((name) => (
            <a {...shows({ webhook: name, state })} aria-current={webhook === name ? 'page' : undefined} safe>
              {name ?? 'All webhooks'}
            </a>
          ))}
        </nav>
      ) : null}
      <nav class="segments" aria-label="Filter by state">
        {states.map(([label, value]) => (
          <a {...shows({ webhook, state: value })} aria-current={state === value ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </>
  )
}

const List = ({ list: { items, nextCursor }, query: { limit, cursor, ...filter }, openedId }: EventsProps) => (
  <>
    <ul class="list" data-links aria-label="Received events, newest first">
      {items.map((each) => (
        <Row
          received={each}
          href={`${addressOf(receivedWebhooksPath, { event: each.id, ...filter, cursor })}#event`}
          isOpen={each.id === openedId}
        />
      ))}
    </ul>
    {nextCursor ? (
      <Pager
        label="Older events"
        summary={`${items.length} shown`}
        action="Older"
        next={addressOf(receivedWebhooksPath, { event: openedId, ...filter, cursor: nextCursor })}
        {...replacing('#received-events', addressOf(operation, { ...filter, limit, cursor: nextCursor }))}
      />
    ) : null}
  </>
)

interface RowProps {
  received: ReceivedWebhook
  href: string
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
        <Time at={received.receivedAt} form="exact" />
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
  ignored: { state: 'draft', icon: 'circle-slash', word: 'Ignored' },
}

const EventState = ({ state }: Pick<ReceivedWebhook, 'state'>) => <StatusMark {...looks[state]} />

export const OpenedEvent = ({ received }: { received: ReceivedWebhookDetail }) => (
  <section
    class="section"
    id="opened-event"
    aria-labelledby="event"
    {...liveAt(`${operation}/${received.id}`, 'often')}
  >
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
          hx-target="#opened-event"
          hx-swap="outerMorph"
          data-refresh
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
        <Time at={received.receivedAt} form="exact" />
      </dd>
      {received.settledAt ? (
        <>
          <dt safe>{looks[received.state].word}</dt>
          <dd>
            <Time at={received.settledAt} form="exact" />
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
