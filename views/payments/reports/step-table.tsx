import type { ReportStep, TakingsFilter, TakingsRow } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { More } from '../filters.tsx'
import { dayText, methodText, monthText, shortDayText } from './words.ts'

type StepRow = Pick<TakingsRow, 'from' | 'to' | 'merchantName' | 'venueName' | 'method'>

export interface Column<Cells> {
  label: string
  text(row: Cells): string
}

interface StepTableProps<Cells> {
  caption: string
  report: {
    by: ReportStep
    items: readonly (StepRow & Cells)[]
    totals: readonly Cells[]
    nextCursor: string | null
  }
  columns: readonly Column<Cells>[]
  query: TakingsFilter
  /** The paths of the page and of its operation, and the selector of what it replaces. */
  page: string
  from: string
  target: string
}

const steps: Record<ReportStep, string> = { day: 'Day', week: 'Week', month: 'Month', venue: 'Venue', method: 'Method' }

/** Sums by day, week, month, venue or method, with their total. */
export function StepTable<Cells>(props: StepTableProps<Cells>) {
  const { caption, report, columns, query, page, from, target } = props
  const { limit: _, cursor: __, ...filter } = query
  return (
    <section class="card" aria-labelledby="report-table">
      <header>
        <h2 id="report-table" safe>{`By ${report.by}`}</h2>
        <span class="push scroll-x">
          <nav class="segments" aria-label="By">
            {Object.entries(steps).map(([by, name]) => (
              <a href={listHref(page, { ...filter, by })} aria-current={by === report.by ? 'true' : undefined} safe>
                {name}
              </a>
            ))}
          </nav>
        </span>
      </header>
      <div class="scroll-x" tabindex="0" role="region" aria-label={`${caption} by ${report.by}`}>
        <table class="table">
          <caption class="visually-hidden" safe>
            {caption}
          </caption>
          <thead>
            <tr>
              <th scope="col" safe>
                {steps[report.by]}
              </th>
              {columns.map(({ label }) => (
                <th scope="col" data-num safe>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {report.items.map((row) => (
              <tr>
                <th scope="row" class="nowrap">
                  <span safe>{nameOf(row, report.by)}</span>
                  {query.merchantId ? null : <small safe>{row.merchantName ?? ''}</small>}
                </th>
                <Cells row={row} columns={columns} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            {report.totals.map((totals) => (
              <tr>
                <th scope="row">Total</th>
                <Cells row={totals} columns={columns} />
              </tr>
            ))}
          </tfoot>
        </table>
      </div>
      <More
        noun="rows"
        shown={report.items.length}
        nextCursor={report.nextCursor}
        query={query}
        page={page}
        from={from}
        target={target}
      />
    </section>
  )
}

const Cells = <Row,>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) => (
  <>
    {columns.map(({ text }) => (
      <td data-num class="nowrap" safe>
        {text(row)}
      </td>
    ))}
  </>
)

function nameOf({ from, to, venueName, method }: StepRow, by: ReportStep): string {
  if (by === 'method') return methodText(method)
  if (by === 'venue') return venueName ?? 'Without a venue'
  if (by === 'month') return monthText(from.slice(0, 7))
  return by === 'day' ? dayText(from) : `${dayText(from)} – ${shortDayText(to)}`
}
