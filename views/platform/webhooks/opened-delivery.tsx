import type { WebhookDeliveryDetail } from '#lib/outgoing-webhooks/contract.ts'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Fold } from '#views/ui/fold.tsx'
import { Payload, prettyJson } from '#views/ui/payload.tsx'
import { Time } from '#views/ui/time.tsx'
import { DeliveryState } from './webhook-state.tsx'

interface OpenedDeliveryProps {
  webhookId: string
  delivery: WebhookDeliveryDetail
  /** The page without it, for narrow windows. */
  back?: string
}

/** One delivery with its request and attempts, next to the list. */
export const OpenedDelivery = ({
  webhookId,
  delivery,
  back = `/settings/webhooks/${webhookId}`,
}: OpenedDeliveryProps) => (
  <article id="opened-delivery" aria-labelledby="delivery">
    <ButtonLink class="button back" label="All deliveries" icon="arrow-left" size="sm" variant="ghost" href={back} />
    <header>
      <div class="grow">
        <h2 id="delivery" class="wrap-anywhere" tabindex="-1">
          Delivery of <code safe>{delivery.type}</code>
        </h2>
        <small class="mono muted wrap-anywhere" safe>
          {delivery.messageId}
        </small>
      </div>
      {delivery.can.replay ? (
        <div class="actions">
          <Button
            id="replay"
            label="Replay"
            icon="rotate-cw"
            size="sm"
            variant="primary"
            hx-post={`/api/webhooks/${webhookId}/deliveries/${delivery.id}/replay`}
            hx-target="#opened-delivery"
            hx-swap="outerMorph"
            data-refresh
          />
        </div>
      ) : null}
    </header>
    <State delivery={delivery} />
    <copy-text>
      <div class="row">
        <h3>Request</h3>
        <Button label="Copy request body" icon="copy" iconOnly variant="ghost" size="sm" data-copy />
        <span class="muted small" role="status" />
      </div>
      <Payload label="Request body" text={prettyJson(delivery.body)} />
    </copy-text>
    <section class="section" aria-labelledby="attempts">
      <h3 id="attempts">Attempts</h3>
      {delivery.log.length > 0 ? (
        <ol class="timeline" aria-label="Attempts, newest first">
          {delivery.log.map((attempt, at) => (
            <Attempt attempt={attempt} open={at === 0} />
          ))}
        </ol>
      ) : (
        <p class="muted">No attempts yet.</p>
      )}
    </section>
  </article>
)

const NextAttempt = ({ at }: { at: string }) => (
  <p>
    The next attempt is on <Time at={at} />.
  </p>
)

const State = ({ delivery }: { delivery: WebhookDeliveryDetail }) => {
  if (delivery.state === 'delivered' || delivery.attempts === 0)
    return (
      <div class="row">
        <DeliveryState {...delivery} />
        {delivery.nextAttemptAt ? <NextAttempt at={delivery.nextAttemptAt} /> : null}
      </div>
    )
  const { lastStatus } = delivery
  return (
    <Notice
      tone={delivery.state === 'failed' ? 'danger' : 'warning'}
      title={lastStatus === null ? 'Your server didn’t respond' : `Your server responded with ${lastStatus}`}
    >
      {delivery.nextAttemptAt ? (
        <NextAttempt at={delivery.nextAttemptAt} />
      ) : (
        <p>It won’t be retried. You can replay it.</p>
      )}
    </Notice>
  )
}

/** 12 ms, 10.0 s */
const durationText = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`)

const Attempt = ({ attempt, open }: { attempt: WebhookDeliveryDetail['log'][number]; open: boolean }) => {
  const { number, status, answer, problem, at, durationMs } = attempt
  const text = problem ?? answer
  const isAccepted = status !== null && status >= 200 && status < 300
  return (
    <li id={`attempt-${number}`} data-state={isAccepted ? 'published' : 'failed'}>
      <span class="mark">
        <Icon name={isAccepted ? 'check' : 'x'} />
      </span>
      <div>
        <div class="head">
          <strong safe>{status === null ? 'No response' : String(status)}</strong>
          <Time at={at} form="exact" />
        </div>
        <small safe>{`Attempt ${number}, ${durationText(durationMs)}`}</small>
        {text ? (
          <Fold open={open} summary={problem === null ? 'Response body' : 'Problem'}>
            <Payload label={`Response to attempt ${number}`} text={prettyJson(text)} />
          </Fold>
        ) : null}
      </div>
    </li>
  )
}
