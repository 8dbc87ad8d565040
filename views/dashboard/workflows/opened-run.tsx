import type { WorkflowRunDetail } from '#dashboard/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Fold } from '#views/ui/fold.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Payload } from '#views/ui/payload.tsx'
import { Time } from '#views/ui/time.tsx'
import { stepLabels } from './step-labels.ts'
import { RunState } from './workflow-state.tsx'

/** One run with the log of its steps, next to the list. */
export const OpenedRun = ({ run }: { run: WorkflowRunDetail }) => (
  <article id="opened-run" aria-labelledby="run">
    <ButtonLink
      class="button back"
      label="All runs"
      icon="arrow-left"
      size="sm"
      variant="ghost"
      href={`/settings/workflows/${run.workflowId}`}
    />
    <header>
      <h2 id="run" class="grow" tabindex="-1">
        Run of <Time at={run.createdAt} form="exact" />
      </h2>
      <RunButtons run={run} />
    </header>
    <div class="row">
      <RunState state={run.state} />
      {run.nextAttemptAt ? (
        <span>
          Next attempt: <Time at={run.nextAttemptAt} />
        </span>
      ) : null}
    </div>
    {run.note ? <p safe>{run.note}</p> : null}
    {run.log.length > 0 ? (
      <ol class="timeline" aria-label="Attempts, oldest first">
        {run.log.map((entry) => (
          <Attempt entry={entry} />
        ))}
      </ol>
    ) : (
      <p class="muted">No step has run yet.</p>
    )}
    <Fold summary="Data of the run">
      <Payload label="Data of the run" text={JSON.stringify(run.data, null, 2)} />
    </Fold>
  </article>
)

const RunButtons = ({ run: { id, workflowId, can } }: { run: WorkflowRunDetail }) => {
  const path = `/api/workflows/${workflowId}/runs/${id}`
  return can.retry || can.cancel ? (
    <div class="actions">
      {can.retry ? (
        <Form hx-post={`${path}/retry`} data-refresh>
          <Button id="retry" label="Retry" icon="rotate-cw" size="sm" variant="primary" type="submit" />
        </Form>
      ) : null}
      {can.cancel ? (
        <Form hx-post={`${path}/cancel`} data-refresh>
          <Button id="cancel" label="Cancel run" icon="x" size="sm" type="submit" />
        </Form>
      ) : null}
    </div>
  ) : (
    <></>
  )
}

const Attempt = ({ entry }: { entry: WorkflowRunDetail['log'][number] }) => {
  const { step, type, attempt, at, durationMs, outcome, input, status, result, error } = entry
  const isDone = outcome === 'done'
  const details = [...Object.values(input), ...(result ? [result] : []), ...(error ? [error] : [])].join('\n')
  return (
    <li id={`attempt-${step}-${attempt}`} data-state={isDone ? 'published' : 'failed'}>
      <span class="mark">
        <Icon name={isDone ? 'check' : 'x'} />
      </span>
      <div>
        <div class="head">
          <strong safe>{`${step}. ${stepLabels[type]}`}</strong>
          <Time at={at} form="exact" />
        </div>
        <small safe>{`Attempt ${attempt}, ${durationMs} ms${status === null ? '' : `, status ${status}`}`}</small>
        <Fold open={!isDone} summary="Details">
          <Payload label={`Details of step ${step}, attempt ${attempt}`} text={details} />
        </Fold>
      </div>
    </li>
  )
}
