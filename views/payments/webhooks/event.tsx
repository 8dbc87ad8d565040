import type { ReceivedProviderEventDetails } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { liveAt } from '#views/ui/live.ts'
import { StatusMark } from '#views/ui/marks.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Payload, prettyJson } from '#views/ui/payload.tsx'
import { Time, TimesIn } from '#views/ui/time.tsx'
import { eventsRoute, eventsTopic, webhooksPath } from './list.tsx'
import { deliveriesText, eventName, eventStates } from './words.ts'

interface EventProps {
  event: ReceivedProviderEventDetails
  organizationId: string | undefined
}

type OfEvent = Pick<EventProps, 'event'>

export const EventPage = ({ event, organizationId }: EventProps) => (
  <>
    <PageHeader title={eventName(event)} crumbs={[{ href: webhooksPath, label: 'Webhooks' }]} status={<TimesIn />} />
    <EventDetails event={event} organizationId={organizationId} />
  </>
)

export const EventDetails = ({ event, organizationId }: EventProps) => (
  <div id="provider-event" class="page split" {...liveAt(`${eventsRoute}/${event.id}`, eventsTopic(organizationId))}>
    <div class="stack" style="--gap: var(--space-6)">
      <div class="row" data-wrap>
        <StatusMark {...eventStates[event.state]} />
        {event.can.replay && event.state !== 'waiting' ? (
          <span class="push">
            <Button
              id="replay"
              label="Replay"
              icon="rotate-cw"
              variant={event.state === 'failed' ? 'primary' : undefined}
              hx-post={`${eventsRoute}/${event.id}/replay`}
              hx-target="#provider-event"
              hx-swap="outerMorph"
              data-refresh="#provider-event"
            />
          </span>
        ) : null}
      </div>
      <Explanation event={event} />
      <Attempts event={event} />
      <copy-text class="section">
        <header class="row">
          <h2>Payload</h2>
          <Button label="Copy the payload" icon="copy" iconOnly variant="ghost" size="sm" data-copy />
          <span class="muted small" role="status" />
        </header>
        <Payload label="Payload" text={prettyJson(event.payload)} />
      </copy-text>
    </div>
    <Facts event={event} />
  </div>
)

const Explanation = ({ event: { state, problem } }: OfEvent) => {
  if (state === 'failed')
    return (
      <Notice tone="danger" title="Received, but not processed yet" text={problem ?? undefined}>
        <p>It is retried automatically. Replaying is safe: an event is never applied twice.</p>
      </Notice>
    )
  if (state === 'ignored')
    return (
      <Notice
        title="Stored, and not used"
        text="Its type is unknown, or it isn’t about a payment, refund, or payout of this organization."
      />
    )
  return <></>
}

const Attempts = ({ event: { attemptLog, receivedAt } }: OfEvent) => (
  <section class="section" aria-labelledby="attempts">
    <h2 id="attempts">Attempts</h2>
    <ol class="timeline" aria-label="Attempts, newest first">
      {attemptLog.toReversed().map(({ number, at, problem }) => (
        <li data-state={problem === null ? 'published' : 'failed'}>
          <span class="mark">
            <Icon name={problem === null ? 'check' : 'circle-alert'} />
          </span>
          <div>
            <div class="head">
              <b safe>{`Attempt ${number} ${problem === null ? 'processed it' : 'failed'}`}</b>
              <Time at={at} form="exact" />
            </div>
            {problem === null ? null : (
              <small class="wrap-anywhere" safe>
                {problem}
              </small>
            )}
          </div>
        </li>
      ))}
      <li data-tone="info">
        <span class="mark">
          <Icon name="shield-check" />
        </span>
        <div>
          <div class="head">
            <b>Received and stored</b>
            <Time at={receivedAt} form="exact" />
          </div>
          <small>With a valid signature, or read from the provider’s list of events.</small>
        </div>
      </li>
    </ol>
  </section>
)

const Facts = ({ event }: OfEvent) => (
  <aside class="section" aria-labelledby="event-details">
    <h2 id="event-details">Details</h2>
    <dl class="facts">
      <dt>Event</dt>
      <dd>
        <code class="wrap-anywhere" safe>
          {event.eventId}
        </code>
      </dd>
      <dt>Object</dt>
      <dd>
        <code class="wrap-anywhere" safe>
          {event.objectId ?? '–'}
        </code>
      </dd>
      <dt>Deliveries</dt>
      <dd safe>{deliveriesText(event)}</dd>
      {event.settledAt ? (
        <>
          <dt safe>{eventStates[event.state].word}</dt>
          <dd>
            <Time at={event.settledAt} form="exact" />
          </dd>
        </>
      ) : null}
    </dl>
  </aside>
)
