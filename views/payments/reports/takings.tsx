import type { Takings, TakingsRow, TakingsTotals } from '#payments/types'
import { BarChart, Legend } from '#views/ui/chart.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { ledgerTopic } from '../ledger/table.tsx'
import { money } from '../money.ts'
import { PendingCheck } from './check-badge.tsx'
import { TakingsTable, type TakingsProps } from './table.tsx'
import { chartDayText, monthText, shortDayText, takingsRoute } from './words.ts'

export type LiveTakings = TakingsProps & { organizationId: string | undefined }

export const TakingsReport = ({ takings, query, organizationId }: LiveTakings) => (
  <div id="takings" class="stack" {...liveAt(listHref(takingsRoute, query), ledgerTopic(organizationId))}>
    {takings.totals.length === 0 ? (
      <Empty
        icon="chart-column"
        title="No movements in these days"
        text="Takings, refunds, disputes, fees and payouts appear here as soon as they are in the ledger."
      />
    ) : (
      <>
        <div class="split">
          {query.currency && takings.by !== 'venue' && takings.by !== 'method' ? (
            <Chart takings={takings} currency={query.currency} />
          ) : null}
          <div class="stack">
            {takings.totals.map((totals) => (
              <Summary totals={totals} takings={takings} query={query} />
            ))}
          </div>
        </div>
        <TakingsTable takings={takings} query={query} />
      </>
    )}
  </div>
)

const chartNames = ['Net', 'Fees', 'Refunds and disputes']
const maxFilledDays = 100

const Chart = ({ takings, currency }: { takings: Takings; currency: string }) => {
  const columns = columnsOf(takings)
  return (
    <section class="card" aria-labelledby="chart">
      <header>
        <h2 id="chart" safe>{`Takings per ${takings.by}`}</h2>
        <Legend names={chartNames} />
      </header>
      <div class="body">
        <BarChart
          label={`Takings per ${takings.by} in ${currency}, split in net, fees, and refunds and disputes`}
          heading={takings.by === 'day' ? 'Day' : 'From'}
          columns={columns.map(({ name }) => name)}
          series={[
            { name: 'Net', values: columns.map(({ row }) => row?.net ?? 0) },
            { name: 'Fees', values: columns.map(({ row }) => row?.fees ?? 0) },
            { name: 'Refunds and disputes', values: columns.map(({ row }) => (row ? row.refunds + row.disputes : 0)) },
          ]}
          format={(units) => money(units, currency)}
          formatTick={(units) => money(units, currency)}
        />
      </div>
    </section>
  )
}

/** The oldest first; days without movements are columns as well. */
function columnsOf({ items, from, to, by }: Takings): { name: string; row: TakingsRow | undefined }[] {
  const rows = items.toReversed()
  const days = Temporal.PlainDate.from(from).until(to).days + 1
  if (by !== 'day' || days > maxFilledDays)
    return rows.map((row) => ({ name: by === 'month' ? monthText(row.from.slice(0, 7)) : chartDayText(row.from), row }))
  const byDay = new Map(rows.map((row) => [row.from, row]))
  return Array.from({ length: days }, (_, at) => {
    const day = Temporal.PlainDate.from(from).add({ days: at }).toString()
    return { name: chartDayText(day), row: byDay.get(day) }
  })
}

const Summary = ({ totals, takings, query }: TakingsProps & { totals: TakingsTotals }) => {
  const of = (units: number) => money(units, totals.currency)
  return (
    <section class="card" aria-labelledby={`summary-${totals.currency}`}>
      <header>
        <h2 id={`summary-${totals.currency}`} safe>{`Summary, ${totals.currency}`}</h2>
        {totals === takings.totals[0] ? (
          <PendingCheck merchantId={query.merchantId} from={takings.from} to={takings.to} />
        ) : null}
      </header>
      <dl class="body facts" data-end>
        <dt
          safe
        >{`Takings (${totals.payments.toLocaleString('en')} ${totals.payments === 1 ? 'payment' : 'payments'})`}</dt>
        <dd safe>{of(totals.takings)}</dd>
        <dt>Refunds</dt>
        <dd safe>{of(-totals.refunds)}</dd>
        <dt>Disputes</dt>
        <dd safe>{of(-totals.disputes)}</dd>
        <dt>Fees</dt>
        <dd safe>{of(-totals.fees)}</dd>
        {totals.other === 0 ? null : (
          <>
            <dt>Corrections and conversion</dt>
            <dd safe>{of(totals.other)}</dd>
          </>
        )}
        <dt>
          <b>Net</b>
        </dt>
        <dd>
          <b safe>{of(totals.net)}</b>
        </dd>
        <dt>Paid out</dt>
        <dd safe>{of(totals.payouts)}</dd>
        <dt>Net less payouts</dt>
        <dd safe>{of(totals.net - totals.payouts)}</dd>
        <dt>Days</dt>
        <dd safe>{`${shortDayText(takings.from)} – ${shortDayText(takings.to)}`}</dd>
      </dl>
    </section>
  )
}
