import type { DeadJob, DeadJobList, QueueDepth, QueueList, ReceivedWebhookList } from '#platform/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons, Menu, MenuItem } from '#views/ui/overlays.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { addressOf, liveAt, replacing } from '#views/ui/live.ts'
import { Pager } from '#views/ui/lists.tsx'
import { Payload } from '#views/ui/payload.tsx'
import { Time, TimesIn, timeText, viewerZoneName, viewerZone } from '#views/ui/time.tsx'
import { LiveReceivedCounts, receivedWebhooksPath } from './received-webhooks.tsx'

export interface JobsProps extends DeadJobsProps {
  queues: QueueList
  received: ReceivedWebhookList
}

interface DeadJobsProps {
  dead: DeadJobList
  /** Which jobs are listed. */
  query: { queue?: string; limit: number; cursor?: string }
}

/** The queues with their depth, and the jobs that ran out of retries. */
export const Jobs = ({ queues, received, ...dead }: JobsProps) => (
  <>
    <header class="page-header">
      <h1>Jobs</h1>
      <TimesIn />
    </header>
    <div class="page stack" style="--gap: var(--space-8)">
      <DeadJobs {...dead} />
      {received.webhooks.length > 0 || received.items.length > 0 ? <Received counts={received.counts} /> : null}
      <Queues list={queues} />
    </div>
  </>
)

const Received = ({ counts }: Pick<ReceivedWebhookList, 'counts'>) => (
  <section class="section" aria-labelledby="received">
    <h2 id="received">Received webhooks</h2>
    <ul class="list" data-links>
      <li>
        <a class="row-link grow" href={receivedWebhooksPath}>
          <LiveReceivedCounts counts={counts} />
        </a>
        <Icon name="chevron-right" />
      </li>
    </ul>
  </section>
)

const actionsInWords = (count: number): string => {
  if (count === 0) return 'No actions are waiting to be sent to the dashboard.'
  return count === 1
    ? '1 action is waiting to be sent to the dashboard.'
    : `${count} actions are waiting to be sent to the dashboard.`
}

/** The jobs that ran out of retries. */
export const DeadJobs = ({ dead: { items, nextCursor }, query: { cursor, ...query } }: DeadJobsProps) => (
  <section
    class="section"
    id="dead-jobs"
    aria-labelledby="dead"
    {...liveAt(addressOf(operation, { ...query, cursor }), 'often')}
  >
    <header>
      <h2 id="dead" tabindex="-1">
        Failed jobs
      </h2>
      {items.length > 0 ? <RetryAll queues={[...new Set(items.map((job) => job.queue))]} /> : null}
    </header>
    {items.length > 0 ? (
      <div class="card">
        <ol class="letters" data-failed aria-label="Failed jobs, newest first">
          {items.map((job) => (
            <DeadJobRow job={job} />
          ))}
        </ol>
      </div>
    ) : (
      <Empty icon="circle-check" title="No failed jobs" text="Jobs that run out of retries appear here." />
    )}
    {nextCursor ? (
      <Pager
        label="Older jobs"
        summary={`${items.length} shown`}
        action="Older"
        next={addressOf('/admin/jobs', { cursor: nextCursor })}
        {...replacing('#dead-jobs', addressOf(operation, { ...query, cursor: nextCursor }))}
      />
    ) : null}
  </section>
)

const operation = '/api/admin/jobs'

const retryDialog = (queue: string): string => `retry-all-${queue.replaceAll(/[^\w-]/g, '-')}`

/** A menu of the queues, each of which asks. */
const RetryAll = ({ queues }: { queues: string[] }) => (
  <>
    <Button label="Retry all" icon="rotate-cw" size="sm" popovertarget="retry-all" />
    <Menu id="retry-all">
      {queues.map((queue) => (
        <MenuItem label={queue} commandfor={retryDialog(queue)} command="show-modal" />
      ))}
    </Menu>
    <>
      {queues.map((queue) => (
        <Dialog id={retryDialog(queue)} title="Retry all failed jobs of this queue?">
          <Form
            hx-post={`/api/admin/queues/${encodeURIComponent(queue)}/retry`}
            hx-target="#dead-jobs"
            hx-swap="outerMorph"
            data-refresh
          >
            <div class="body">
              <p class="wrap-anywhere">
                The failed jobs of <b safe>{queue}</b> run again, 500 at a time. Those that fail again come back to this
                list.
              </p>
            </div>
            <DialogButtons dialog={retryDialog(queue)} submit="Retry all" focusCancel />
          </Form>
        </Dialog>
      ))}
    </>
  </>
)

/** A job that was retried or discarded leaves the list, and the counts of the queues reload. */
const leavesList = (id: string) =>
  ({ 'hx-target': `#job-${id}`, 'hx-swap': 'outerHTML', 'data-refresh': true }) as const

const DeadJobRow = ({ job }: { job: DeadJob }) => (
  <li id={`job-${job.id}`}>
    <details class="letter">
      <summary>
        <Icon name="circle-alert" />
        <span>
          <b class="wrap-anywhere" safe>
            {job.queue}
          </b>
          <small safe>{job.error ?? 'No error message.'}</small>
        </span>
        <small class="muted nowrap">
          <Time at={job.diedAt} form="moment" />
        </small>
        <Icon name="chevron-right" />
      </summary>
      <div>
        <dl class="facts">
          <dt>Attempts</dt>
          <dd>{job.attempts}</dd>
          <dt>Queued</dt>
          <dd>
            <Time at={job.enqueuedAt} form="moment" />
          </dd>
          <dt>Job</dt>
          <dd class="mono wrap-anywhere" safe>
            {job.id}
          </dd>
        </dl>
        <copy-text>
          <div class="row">
            <h3>Input</h3>
            <Button label="Copy input" icon="copy" iconOnly variant="ghost" size="sm" data-copy />
            <span class="muted small" role="status" />
          </div>
          <Payload label={`Input of ${job.id}`} text={JSON.stringify(job.input, null, 2)} />
        </copy-text>
        <div class="actions">
          <Button
            label="Retry"
            icon="rotate-cw"
            variant="primary"
            size="sm"
            hx-post={`/api/admin/jobs/${job.id}/retry`}
            {...leavesList(job.id)}
          />
          <Button label="Discard" size="sm" commandfor={`discard-${job.id}`} command="show-modal" />
        </div>
      </div>
    </details>
    <DiscardDialog job={job} />
  </li>
)

const DiscardDialog = ({ job }: { job: DeadJob }) => {
  const id = `discard-${job.id}`
  return (
    <Dialog id={id} title="Discard this job?">
      <Form hx-delete={`/api/admin/jobs/${job.id}`} {...leavesList(job.id)}>
        <div class="body">
          <p>It won’t run. Only an audit log entry is kept.</p>
        </div>
        <DialogButtons dialog={id} submit="Discard" danger focusCancel />
      </Form>
    </Dialog>
  )
}

export const Queues = ({ list }: { list: QueueList }) => (
  <section class="section" id="queue-list" aria-labelledby="queues" {...liveAt('/api/admin/queues', 'often')}>
    <header>
      <h2 id="queues">Queues</h2>
      <small class="muted">Refreshes every 5 seconds</small>
    </header>
    <Totals queues={list.items} />
    <div class="bleed">
      <QueueTable queues={list.items} />
    </div>
    <p class="muted" safe>
      {actionsInWords(list.untakenActions)}
    </p>
  </section>
)

const Totals = ({ queues }: { queues: QueueDepth[] }) => {
  const total = (countOf: (queue: QueueDepth) => number) => queues.reduce((sum, queue) => sum + countOf(queue), 0)
  return (
    <dl class="stats">
      <div>
        <dt>Waiting</dt>
        <dd>{total(({ waiting }) => waiting)}</dd>
      </div>
      <div>
        <dt>Running</dt>
        <dd>{total(({ active }) => active)}</dd>
      </div>
      <div>
        <dt>Retrying</dt>
        <dd>{total(({ retrying }) => retrying)}</dd>
        <dd>included in waiting</dd>
      </div>
      <div>
        <dt>Failed</dt>
        <dd>{total(({ dead }) => dead)}</dd>
        <dd>used up their retries</dd>
      </div>
    </dl>
  )
}

const QueueTable = ({ queues }: { queues: QueueDepth[] }) => (
  <table class="table" data-list>
    <caption class="visually-hidden">Queues</caption>
    <thead>
      <tr>
        <th scope="col">Queue</th>
        <th scope="col" data-num>
          Waiting
        </th>
        <th scope="col" data-num>
          Retrying
        </th>
        <th scope="col" data-num>
          Scheduled
        </th>
        <th scope="col" data-num>
          Running
        </th>
        <th scope="col" data-num>
          Failed
        </th>
        <th scope="col" safe>{`Oldest due (${viewerZoneName()})`}</th>
        <th scope="col">Concurrency</th>
      </tr>
    </thead>
    <tbody>
      {queues
        .toSorted((a, b) => Number(isBusy(b)) - Number(isBusy(a)))
        .map((queue) => (
          <Queue queue={queue} />
        ))}
    </tbody>
  </table>
)

/** Such as `8, 2 per tenant`. */
const describeSettings = ({ concurrency, perTenant, batchSize }: NonNullable<QueueDepth['settings']>): string => {
  if (batchSize > 1) return concurrency === 1 ? `a batch of ${batchSize}` : `${concurrency} batches of ${batchSize}`
  return perTenant === null ? String(concurrency) : `${concurrency}, ${perTenant} per tenant`
}

const isBusy = ({ waiting, active, dead }: QueueDepth): boolean => waiting + active + dead > 0

/** For narrow windows, such as `1 retrying · 2 failed · concurrency 4`. */
function describeQueue({ retrying, delayed, active, dead, oldestDueAt, settings }: QueueDepth): string {
  const counts = { retrying, scheduled: delayed, running: active, failed: dead }
  return [
    ...Object.entries(counts).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : [])),
    ...(oldestDueAt ? [`oldest due ${timeText(oldestDueAt, viewerZone(), 'time')} ${viewerZoneName()}`] : []),
    settings ? `concurrency ${describeSettings(settings)}` : 'not processed by this server',
  ].join(' · ')
}

const Queue = ({ queue }: { queue: QueueDepth }) => (
  <tr>
    <td data-at="title" class="wrap-anywhere" safe>
      {queue.name}
    </td>
    <td data-at="end" data-num>
      {queue.waiting}
      <small class="narrow-only"> waiting</small>
    </td>
    <td data-at="sub" class="narrow-only small muted" safe>
      {describeQueue(queue)}
    </td>
    <td class="wide-only" data-num>
      {queue.retrying}
    </td>
    <td class="wide-only" data-num>
      {queue.delayed}
    </td>
    <td class="wide-only" data-num>
      {queue.active}
    </td>
    <td class="wide-only" data-num>
      {queue.dead}
    </td>
    <td class="wide-only">{queue.oldestDueAt ? <Time at={queue.oldestDueAt} form="time" /> : '–'}</td>
    <td class="wide-only">{queue.settings ? describeSettings(queue.settings) : 'Not processed by this server'}</td>
  </tr>
)
