import type { ReceivedWebhook, ReceivedWebhookDetail } from '#lib/incoming-webhooks/contract.ts'
import type { ReceivedWebhookList } from '#platform/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { LivePage } from '#views/ui/live-page.tsx'
import { Pager } from '#views/ui/lists.tsx'
import { Payload, prettyJson } from '#views/ui/payload.tsx'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'

export interface ReceivedWebhooksProps extends EventsProps {
  address: string
}

interface EventsProps {
  list: ReceivedWebhookList
  filter: { webhook?: string; state?: ReceivedWebhook['state'] }
  cursor?: string
  opened?: ReceivedWebhookDetail | null
}

export const receivedWebhooksPath = '/admin/jobs/webhooks'

export const ReceivedWebhooks = ({ address, ...events }: ReceivedWebhooksProps) => (
  <LivePage id="received-webhooks" address={address} topics="often">
    <div class="section">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/admin/jobs">Jobs</a>
      </nav>
      {events.opened ? <OpenedEvent received={events.opened} /> : <ReceivedWebhookEvents {...events} />}
    </div>
    {events.opened ? <ReceivedWebhookEvents {...events} /> : null}
  </LivePage>
)

export const ReceivedWebhookEvents = ({ list, filter, cursor, opened }: EventsProps) => (
  <section class="section" aria-labelledby="received">
    <h2 id="received">Received webhooks</h2>
    <p class="muted prose">Events that providers sent in the last 90 days.</p>
    <Filters webhooks={list.webhooks} filter={filter} />
    {list.items.length > 0 ? (
      <List list={list} filter={filter} cursor={cursor} opened={opened} />
    ) : (
      <Nothing isFiltered={Boolean(filter.webhook ?? filter.state)} />
    )}
  </section>
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

const Filters = ({ webhooks, filter }: Pick<EventsProps, 'filter'> & { webhooks: string[] }) => (
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
    <nav class="segments" aria-label="Filter by state">
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

const List = ({ list: { items, nextCursor }, filter, cursor, opened }: EventsProps) => (
  <>
    <ul class="list" data-links aria-label="Received events, newest first">
      {items.map((each) => (
        <Row
          received={each}
          href={`${hrefOf({ event: each.id, ...filter, cursor })}#event`}
          isOpen={each.id === opened?.id}
        />
      ))}
    </ul>
    {nextCursor ? (
      <Pager label="More events" summary={`${items.length} shown`} next={hrefOf({ ...filter, cursor: nextCursor })} />
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

export const OpenedEvent = ({ received }: { received: ReceivedWebhookDetail }) => (
  <section class="section" id="opened-event" aria-labelledby="event">
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
