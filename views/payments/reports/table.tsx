import type { ReportStep, Takings, TakingsFilter, TakingsRow } from '#payments/types'
import { More } from '../filters.tsx'
import { money } from '../money.ts'
import { dayText, monthText, reportHref, reportsPath, shortDayText, takingsRoute } from './words.ts'

export interface TakingsProps {
  takings: Takings
  query: TakingsFilter
}

const steps: Record<ReportStep, string> = { day: 'Day', week: 'Week', month: 'Month', venue: 'Venue' }

export const TakingsTable = ({ takings, query }: TakingsProps) => (
  <section class="card" aria-labelledby="takings-table">
    <header>
      <h2 id="takings-table" safe>{`By ${takings.by}`}</h2>
      <nav class="segments" aria-label="By">
        <Steps takings={takings} query={query} />
      </nav>
    </header>
    <div class="scroll-x" tabindex="0" role="region" aria-label={`Takings by ${takings.by}`}>
      <table class="table">
        <caption class="visually-hidden">Takings, refunds, disputes, fees and payouts</caption>
        <thead>
          <tr>
            <th scope="col" safe>
              {steps[takings.by]}
            </th>
            {columns.map((name) => (
              <th scope="col" data-num safe>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {takings.items.map((row) => (
            <tr>
              <th scope="row" class="nowrap">
                <span safe>{nameOf(row, takings.by)}</span>
                {query.merchantId ? null : <small safe>{row.merchantName ?? ''}</small>}
              </th>
              <Amounts row={row} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          {takings.totals.map((totals) => (
            <tr>
              <th scope="row">Total</th>
              <Amounts row={totals} />
            </tr>
          ))}
        </tfoot>
      </table>
    </div>
    <More
      noun="rows"
      shown={takings.items.length}
      nextCursor={takings.nextCursor}
      query={query}
      page={reportsPath}
      from={takingsRoute}
      target="#takings"
    />
  </section>
)

const Steps = ({ takings, query }: TakingsProps) => (
  <>
    {Object.entries(steps).map(([by, name]) => (
      <a href={reportHref(query, { by: stepOf(by) })} aria-current={by === takings.by ? 'true' : undefined} safe>
        {name}
      </a>
    ))}
  </>
)

const stepOf = (name: string): ReportStep => (name === 'week' || name === 'month' || name === 'venue' ? name : 'day')

const columns = ['Payments', 'Takings', 'Refunds', 'Disputes', 'Fees', 'Other', 'Net', 'Paid out']

type Row = Pick<
  TakingsRow,
  'currency' | 'payments' | 'takings' | 'refunds' | 'disputes' | 'fees' | 'other' | 'net' | 'payouts'
>

const Amounts = ({ row }: { row: Row }) => {
  const amounts = [row.takings, -row.refunds, -row.disputes, -row.fees, row.other, row.net, row.payouts]
  return (
    <>
      <td data-num safe>
        {row.payments.toLocaleString('en')}
      </td>
      {amounts.map((units) => (
        <td data-num class="nowrap" safe>
          {units === 0 ? '' : money(units, row.currency)}
        </td>
      ))}
    </>
  )
}

function nameOf({ from, to, venueName }: TakingsRow, by: ReportStep): string {
  if (by === 'venue') return venueName ?? 'Without a venue'
  if (by === 'month') return monthText(from.slice(0, 7))
  return by === 'day' ? dayText(from) : `${dayText(from)} – ${shortDayText(to)}`
}
