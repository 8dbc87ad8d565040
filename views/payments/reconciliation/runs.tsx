import type { Reconciliation, ReconciliationRun } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Time } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { chartDayText } from '../reports/words.ts'
import { reconciliationPath, reconciliationRoute, reconciliationTopic } from './words.ts'

interface RunsProps {
  overview: Reconciliation
  organizationId: string | undefined
}

export const RunsOverview = ({ overview, organizationId }: RunsProps) => {
  const { days, last, running, nextRunAt } = overview
  return (
    <section
      class="section"
      id="reconciliation-runs"
      aria-labelledby="runs-title"
      {...liveAt(reconciliationRoute, reconciliationTopic(organizationId))}
    >
      <header>
        <h2 id="runs-title">Last 30 days</h2>
        <small class="below" role="status">
          <Summary last={last} isRunning={running !== null} nextRunAt={nextRunAt} />
        </small>
      </header>
      <ol class="runs">
        {days.map((day) => (
          <Day day={day} isLast={day.runId !== null && day.runId === last?.id} />
        ))}
      </ol>
      {last === null && running === null ? (
        <Empty
          icon="arrow-left-right"
          title="Nothing was compared yet"
          text="Every day, each movement of money in the ledger is compared with the payment provider. The first comparison begins after your first payment, or when you run it."
          small
        />
      ) : null}
      {last?.error ? (
        <Notice
          tone="danger"
          title="The last comparison failed"
          text={`${last.error.message} No differences were concluded from it.`}
        />
      ) : null}
      {last && last.state === 'succeeded' ? <Balances run={last} /> : null}
    </section>
  )
}

const Summary = ({
  last,
  isRunning,
  nextRunAt,
}: {
  last: ReconciliationRun | null
  isRunning: boolean
  nextRunAt: string | Date
}) => (
  <>
    {isRunning ? <span>Comparing now. </span> : null}
    {last && last.state === 'succeeded' ? (
      <>
        <Time at={last.startedAt} form="moment" />
        <span safe>{`: ${countsOf(last)} `}</span>
      </>
    ) : null}
    {'Next: '}
    <Time at={nextRunAt} form="moment" />. Numbers are differences; × means that the run failed.
  </>
)

export const countsOf = ({ matched, compared, inTransit }: ReconciliationRun): string =>
  [
    `${matched.toLocaleString('en')} of ${compared.toLocaleString('en')} matched`,
    inTransit > 0 ? `${inTransit.toLocaleString('en')} in transit` : null,
  ]
    .filter(Boolean)
    .join(', ')
    .concat('.')

type DayOf = Reconciliation['days'][number]

const Day = ({ day, isLast }: { day: DayOf; isLast: boolean }) => {
  const text = `${chartDayText(day.day)}: ${stateOf(day)}`
  const mark = day.state === 'failed' ? '×' : day.differences > 0 ? String(day.differences) : ''
  const look =
    day.state === 'failed' ? 'failed' : day.state === null ? 'none' : day.differences > 0 ? 'differs' : undefined
  return (
    <li>
      {day.runId === null ? (
        <span data-state="none" title={text}>
          <span class="visually-hidden" safe>
            {text}
          </span>
        </span>
      ) : (
        <a
          href={`${reconciliationPath}?runId=${day.runId}`}
          data-state={look}
          aria-current={isLast ? 'true' : undefined}
          title={text}
        >
          <span aria-hidden="true" safe>
            {mark}
          </span>
          <span class="visually-hidden" safe>
            {text}
          </span>
        </a>
      )}
    </li>
  )
}

function stateOf({ state, differences, error }: DayOf): string {
  if (state === null) return 'no comparison'
  if (state === 'running') return 'comparing'
  if (state === 'failed') return `run failed, ${error ?? 'unknown'}`
  return differences === 0 ? 'all matched' : differences === 1 ? '1 difference' : `${differences} differences`
}

export const Balances = ({ run }: { run: ReconciliationRun }) =>
  run.balances === null ? (
    <p class="muted small">
      {run.scope === 'shared'
        ? 'The balance isn’t compared: other organizations use this account of the provider too.'
        : 'The balance isn’t compared: payments were made with other accounts as well, or it moved during the comparison.'}
    </p>
  ) : (
    <div class="stack" style="--gap: .25rem">
      {run.balances.map(({ currency, ledger, provider, unexplained }) => (
        <div class="row" data-wrap style="--gap: .25rem 1rem">
          <ol class="proof">
            <li>
              <span class="muted">Ledger balance</span> <b safe>{money(ledger, currency)}</b>
            </li>
            <li data-off={ledger !== provider}>
              <span class="muted">Provider balance</span> <b safe>{money(provider, currency)}</b>
            </li>
          </ol>
          {ledger === provider ? null : (
            <small class="muted" safe>
              {unexplained === 0
                ? 'The differences below and what is in transit explain it.'
                : `${money(unexplained, currency)} isn’t explained by single movements.`}
            </small>
          )}
        </div>
      ))}
    </div>
  )

export const RunNow = () => (
  <Button
    id="run-reconciliation"
    label="Run now"
    icon="rotate-cw"
    hx-post={`${reconciliationRoute}/runs`}
    hx-target="#reconciliation-runs"
    hx-swap="outerMorph"
  />
)
