import type { DeadLetter, QueueDepth } from '#lib/dead-letters.ts'
import type { QueueSettings } from '#lib/queue.ts'
import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { Fold } from '#views/ui/fold.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Pager } from '#views/ui/pager.tsx'
import { Payload } from '#views/ui/payload.tsx'
import { Time, timeText } from '#views/ui/time.tsx'
import { receivedWebhooksPath } from './received-webhooks.tsx'

type ShownQueue = QueueDepth & { settings: QueueSettings | null }

export interface JobsProps {
  queues: ShownQueue[]
  dead: DeadLetter[]
  nextCursor: string | null
  /** The page's own address. */
  address: string
  /** Raised actions that the dashboard hasn't received. */
  untakenActions: number
  /** The number of events from providers; null where there are no webhooks. */
  received: { waiting: number; failed: number } | null
}

/** The queues with their depth, and the jobs that ran out of retries. */
export const Jobs = (props: JobsProps) => (
  <div
    id="jobs"
    class="page stack"
    style="--measure: 60rem; --gap: var(--space-8)"
    hx-get={props.address}
    data-live="often"
    hx-trigger="live"
    hx-target="this"
    hx-select="#jobs"
    hx-swap="outerMorph"
  >
    <section class="section" aria-labelledby="dead">
      <h2 id="dead">Failed jobs</h2>
      {props.dead.length > 0 ? <Dead {...props} /> : <Nothing />}
    </section>
    {props.received ? <Received {...props.received} /> : null}
    <section class="section" aria-labelledby="queues">
      <h2 id="queues">Queues</h2>
      <div class="bleed">
        <Queues queues={props.queues} />
      </div>
      <p safe>{actionsInWords(props.untakenActions)}</p>
    </section>
  </div>
)

const Received = ({ waiting, failed }: { waiting: number; failed: number }) => (
  <section class="section" aria-labelledby="received">
    <h2 id="received">Received webhooks</h2>
    <ul class="list" data-links>
      <li>
        <a class="row-link grow" href={receivedWebhooksPath} safe>
          {`${waiting} waiting, ${failed} failed`}
        </a>
        <Icon name="chevron-right" />
      </li>
    </ul>
  </section>
)

const actionsInWords = (count: number): string => {
  if (count === 0) return 'No actions are waiting for the dashboard.'
  return count === 1 ? '1 action is waiting for the dashboard.' : `${count} actions are waiting for the dashboard.`
}

const Nothing = () => (
  <Empty icon="circle-check" title="No failed jobs" text="Jobs that run out of retries appear here." />
)

const Dead = ({ dead, nextCursor }: JobsProps) => (
  <>
    <ul class="list" data-wrap aria-label="Failed jobs, newest first" id="dead-jobs">
      {dead.map((letter) => (
        <Letter letter={letter} />
      ))}
    </ul>
    {nextCursor ? (
      <Pager
        label="More jobs"
        summary={`${dead.length} shown`}
        next={`/admin/jobs?cursor=${encodeURIComponent(nextCursor)}`}
      />
    ) : null}
  </>
)

const Letter = ({ letter }: { letter: DeadLetter }) => (
  <li id={`job-${letter.id}`}>
    <span class="grow">
      <strong class="wrap-anywhere" safe>
        {letter.queue}
      </strong>
      <small class="wrap-anywhere" safe>
        {letter.error ?? 'No error message.'}
      </small>
      <small>
        <span safe>{`${letter.attempts} ${letter.attempts === 1 ? 'attempt' : 'attempts'}, failed `}</span>
        <Time at={letter.diedAt} zone="UTC" />
      </small>
      <Fold summary="Input">
        <Payload label="Input" text={JSON.stringify(letter.input, null, 2)} />
      </Fold>
    </span>
    <span class="actions">
      <Button label="Retry" icon="rotate-cw" size="sm" hx-post={`/api/admin/jobs/${letter.id}/retry`} hx-swap="none" />
      <Button
        label="Discard"
        icon="trash-2"
        iconOnly
        variant="ghost"
        size="sm"
        commandfor={`discard-${letter.id}`}
        command="show-modal"
      />
    </span>
    <DiscardDialog letter={letter} />
  </li>
)

const DiscardDialog = ({ letter }: { letter: DeadLetter }) => {
  const id = `discard-${letter.id}`
  return (
    <Dialog id={id} title="Discard this job?">
      <Form hx-delete={`/api/admin/jobs/${letter.id}`}>
        <div class="body">
          <p>It won’t run. Only an audit log entry is kept.</p>
        </div>
        <footer>
          <Button label="Cancel" variant="ghost" commandfor={id} command="close" autofocus />
          <Button label="Discard" variant="danger" type="submit" />
        </footer>
      </Form>
    </Dialog>
  )
}

const Queues = ({ queues }: Pick<JobsProps, 'queues'>) => (
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
        <th scope="col">Oldest due (UTC)</th>
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

/** The concurrency of one server, such as `8, 2 per tenant`. */
const describeSettings = ({ concurrency, perTenant, batchSize }: QueueSettings): string => {
  if (batchSize > 1) return concurrency === 1 ? `a batch of ${batchSize}` : `${concurrency} batches of ${batchSize}`
  return perTenant === null ? String(concurrency) : `${concurrency}, ${perTenant} per tenant`
}

const isBusy = ({ waiting, active, dead }: ShownQueue): boolean => waiting + active + dead > 0

/** All that a narrow window has no columns for, such as `1 retrying · 2 failed · concurrency 4`. */
function describeQueue({ retrying, delayed, active, dead, oldestDueAt, settings }: ShownQueue): string {
  const counts = { retrying, scheduled: delayed, running: active, failed: dead }
  return [
    ...Object.entries(counts).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : [])),
    ...(oldestDueAt ? [`oldest due ${timeText(oldestDueAt, 'UTC', 'time')} UTC`] : []),
    settings ? `concurrency ${describeSettings(settings)}` : 'not processed by this server',
  ].join(' · ')
}

const Queue = ({ queue }: { queue: ShownQueue }) => (
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
    <td class="wide-only">{queue.oldestDueAt ? <Time at={queue.oldestDueAt} zone="UTC" form="time" /> : '–'}</td>
    <td class="wide-only">{queue.settings ? describeSettings(queue.settings) : 'Not processed by this server'}</td>
  </tr>
)
