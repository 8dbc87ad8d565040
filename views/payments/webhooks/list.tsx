import type { ProviderEventFilter, ReceivedProviderEvent, ReceivedProviderEventList } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref, Pager } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Badge, StatusMark } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { deliveriesText, eventName, eventStates } from './words.ts'

type EventQuery = ProviderEventFilter

export interface EventListProps {
  list: ReceivedProviderEventList
  query: EventQuery
  organizationId: string | undefined
}

export const webhooksPath = '/pay/webhooks'
export const eventsRoute = '/api/pay/webhooks'
export const eventsTopic = (organizationId: string | undefined): string => `provider-events:${organizationId ?? ''}`

export function webhooksHref(query: Partial<EventQuery>): string {
  const { limit: _, ...filter } = query
  return listHref(webhooksPath, filter)
}

/** The region that replays and searches replace. */
export const changesEvents = { 'hx-target': '#provider-events', 'hx-swap': 'outerMorph', 'data-refresh': true } as const

export const EventList = ({ list, query, organizationId }: EventListProps) => (
  <section
    id="provider-events"
    class="stack"
    aria-label="Events"
    {...liveAt(listHref(eventsRoute, query), eventsTopic(organizationId))}
  >
    <Tabs list={list} query={query} />
    <Rejected list={list} />
    {list.items.length > 0 ? <Rows list={list} query={query} /> : <NoEvents query={query} />}
  </section>
)

type ShownEvents = Omit<EventListProps, 'organizationId'>

const tabs = [
  { label: 'All', state: undefined, count: 'all' },
  { label: 'Processed', state: 'processed', count: 'processed' },
  { label: 'Failed', state: 'failed', count: 'failed' },
  { label: 'Duplicates', state: 'duplicate', count: 'duplicates' },
  { label: 'Unknown types', state: 'ignored', count: 'ignored' },
] as const

const Tabs = ({ list: { counts }, query }: ShownEvents) => {
  const { cursor: _, ...filter } = query
  return (
    <nav class="tabs" aria-label="State">
      {tabs.map((tab) => (
        <a
          href={webhooksHref({ ...filter, state: tab.state })}
          aria-current={query.state === tab.state ? 'page' : undefined}
        >
          {tab.label}
          <Badge
            label={counts[tab.count].toLocaleString('en')}
            tone={tab.state === 'failed' && counts.failed > 0 ? 'danger' : undefined}
            count
          />
        </a>
      ))}
    </nav>
  )
}

const Rejected = ({ list: { rejected } }: Pick<EventListProps, 'list'>) =>
  rejected === 0 ? (
    <></>
  ) : (
    <p class="small muted row">
      <Icon name="triangle-alert" />
      <span
        safe
      >{`${rejected.toLocaleString('en')} ${rejected === 1 ? 'request' : 'requests'} with an invalid signature in the last 24 hours ${rejected === 1 ? 'was' : 'were'} rejected and not stored.`}</span>
    </p>
  )

const Rows = ({ list: { items, nextCursor, can }, query }: ShownEvents) => (
  <>
    <ul class="list card" data-links data-wrap style="--pad: var(--space-4)" aria-label="Events, newest first">
      {items.map((event) => (
        <Row event={event} canReplay={can.replay} />
      ))}
    </ul>
    {nextCursor === null && query.cursor === undefined ? null : (
      <Pager
        label="More events"
        summary={`${items.length} shown`}
        action="Older"
        next={nextCursor === null ? undefined : webhooksHref({ ...query, cursor: nextCursor })}
      />
    )}
  </>
)

const Row = ({ event, canReplay }: { event: ReceivedProviderEvent; canReplay: boolean }) => (
  <li id={`event-${event.id}`}>
    <span class="grow">
      <a class="row-link wrap-anywhere" href={`${webhooksPath}/${event.id}`}>
        <code safe>{eventName(event)}</code>
      </a>
      <small class="wrap-anywhere" safe>
        {[event.objectId, event.duplicates > 0 ? deliveriesText(event) : null, event.problem]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </span>
    <span class="row" data-wrap>
      <StatusMark {...eventStates[event.state]} />
      <small class="nowrap">
        <Time at={event.receivedAt} form="moment" />
      </small>
    </span>
    {canReplay && event.state === 'failed' ? (
      <Button
        id={`replay-${event.id}`}
        label="Replay"
        aria-label={`Replay ${eventName(event)}`}
        icon="rotate-cw"
        size="sm"
        hx-post={`${eventsRoute}/${event.id}/replay`}
        {...changesEvents}
      />
    ) : null}
  </li>
)

export const isNarrowed = ({ type, q, from, to }: Partial<EventQuery>): boolean => Boolean(type ?? q ?? from ?? to)

const NoEvents = ({ query }: Pick<EventListProps, 'query'>) =>
  query.state || query.cursor || isNarrowed(query) ? (
    <Empty icon="search" title="No events here" text="No event of the last 90 days matches." small />
  ) : (
    <Empty
      icon="webhook"
      title="No events yet"
      text="The payment provider reports here what happens to payments, refunds, disputes, and payouts. Each event is stored, checked, and processed once."
      small
    />
  )
