import type { SettlementCallback, SettlementDetails } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Fold } from '#views/ui/fold.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Payload, prettyJson } from '#views/ui/payload.tsx'
import { Time } from '#views/ui/time.tsx'
import { settlementsRoute } from './list.tsx'
import { callbackStates } from './words.ts'

const changes = (part: '#settlement' | '#settlement-callbacks') =>
  ({ 'hx-target': part, 'hx-select': part, 'hx-swap': 'outerMorph', 'data-refresh': part }) as const

export const changesBatch = changes('#settlement')

export const Callbacks = ({ batch }: { batch: SettlementDetails }) => (
  <section class="section" aria-labelledby="callbacks">
    <header>
      <h2 id="callbacks">Callbacks</h2>
      <small>Up to 10 attempts over 75 hours</small>
    </header>
    {batch.callbacksStoppedAt ? (
      <Notice
        tone="warning"
        title="Callbacks stopped"
        text="The callback URL responded with 410 Gone. Send one again to try it."
      />
    ) : null}
    {batch.callbacks.length > 0 ? (
      <ol class="timeline" aria-label="Callbacks, newest first">
        {batch.callbacks.map((callback) => (
          <Callback batch={batch} callback={callback} />
        ))}
      </ol>
    ) : (
      <p class="muted">Each change of the batch is reported here. None was sent yet.</p>
    )}
  </section>
)

const Callback = ({ batch, callback }: { batch: SettlementDetails; callback: SettlementCallback }) => {
  const { sequence, state, attempts, lastStatus, nextAttemptAt, createdAt, log, body, id } = callback
  const look = callbackStates[state]
  return (
    <li data-state={look.state}>
      <span class="mark">
        <Icon name={look.icon} />
      </span>
      <div>
        <div class="head">
          <b safe>{`${sequence}. ${look.word}`}</b>
          <Time at={createdAt} form="exact" />
        </div>
        <small class="wrap-anywhere">
          <span safe>{attemptsText(attempts, lastStatus, log[0]?.problem ?? null)}</span>
          {nextAttemptAt ? (
            <>
              {' '}
              Next attempt <Time at={nextAttemptAt} form="exact" />.
            </>
          ) : null}
        </small>
        {batch.can.replay && (state === 'delivered' || state === 'failed' || attempts > 0) ? (
          <div class="actions">
            <Button
              id={`replay-${sequence}`}
              label={state === 'delivered' ? 'Resend' : 'Retry now'}
              aria-label={`${state === 'delivered' ? 'Resend' : 'Retry now'}: callback ${sequence}`}
              icon="rotate-cw"
              size="sm"
              hx-post={`${settlementsRoute}/${encodeURIComponent(batch.batchId)}/callbacks/${sequence}/replay`}
              {...changes('#settlement-callbacks')}
            />
          </div>
        ) : null}
        <Fold summary="Signed payload">
          <Payload label={`Payload of callback ${sequence}`} text={`webhook-id: ${id}\n\n${prettyJson(body)}`} />
        </Fold>
        {log.length > 0 ? (
          <Fold summary="Attempts">
            <ul class="bullets">
              {log.map((attempt) => (
                <li class="wrap-anywhere">
                  <Time at={attempt.at} form="exact" />{' '}
                  <span safe>
                    {[attempt.status ?? 'No response', `${attempt.durationMs} ms`, attempt.problem]
                      .filter(Boolean)
                      .join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          </Fold>
        ) : null}
      </div>
    </li>
  )
}

function attemptsText(attempts: number, lastStatus: number | null, problem: string | null): string {
  if (attempts === 0) return 'Not sent yet.'
  const answer = lastStatus === null ? (problem ?? 'no response') : `status ${lastStatus}`
  return `${attempts === 1 ? '1 attempt' : `${attempts} attempts`}, the last one: ${answer}.`
}
