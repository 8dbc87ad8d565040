import type { WebhookDeliveryDetail } from '#lib/outgoing-webhooks/contract.ts'
import { Button } from '#views/ui/button.tsx'
import { Fold } from '#views/ui/fold.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Payload, prettyJson } from '#views/ui/payload.tsx'
import { Time } from '#views/ui/time.tsx'
import { DeliveryState, webhookTopic } from './webhook-state.tsx'

interface OpenedDeliveryProps {
  webhookId: string
  delivery: WebhookDeliveryDetail
}

export const OpenedDelivery = ({ webhookId, delivery }: OpenedDeliveryProps) => (
  <section
    class="section"
    id="opened-delivery"
    aria-labelledby="delivery"
    {...liveAt(`/api/webhooks/${webhookId}/deliveries/${delivery.id}`, webhookTopic(webhookId))}
  >
    <header>
      <h2 id="delivery" class="wrap-anywhere" tabindex="-1" safe>
        {`Delivery of ${delivery.type}`}
      </h2>
      {delivery.can.replay ? (
        <Button
          id="replay"
          label="Replay"
          icon="rotate-cw"
          hx-post={`/api/webhooks/${webhookId}/deliveries/${delivery.id}/replay`}
          hx-target="#opened-delivery"
          hx-swap="outerMorph"
          data-refresh
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
            <Time at={delivery.nextAttemptAt} />
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
        <Time at={at} form="exact" />
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
