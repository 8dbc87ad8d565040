import type { InvoiceSummary } from '#payments/types'
import { counted } from '#lib/text.ts'
import { liveAt } from '#views/ui/live.ts'
import { Badge } from '#views/ui/marks.tsx'
import { money } from '../money.ts'
import { invoicesTopic } from './filters.tsx'

interface SummaryProps {
  summary: InvoiceSummary
  organizationId: string | undefined
}

/** What waits for payment, and whether the numbers are complete. Nothing before the first invoice is issued. */
export const InvoiceSummaryCard = ({ summary, organizationId }: SummaryProps) => (
  <div id="invoice-summary" {...liveAt('/api/invoices/summary', invoicesTopic(organizationId))}>
    {summary.numbering.series.length > 0 ? (
      <section class="card" aria-label="Summary of invoices">
        <div class="body">
          <dl class="stats">
            <Waiting title="Open" sums={summary.open} none="Nothing is open" />
            <Waiting
              title="Overdue"
              sums={summary.overdue}
              none="Nothing is overdue"
              detail={`oldest by ${counted(Math.max(0, ...summary.overdue.map(({ oldestDays }) => oldestDays)), 'day')}`}
            />
            <Numbers summary={summary} />
          </dl>
        </div>
      </section>
    ) : null}
  </div>
)

interface WaitingProps {
  title: string
  sums: InvoiceSummary['open']
  none: string
  detail?: string
}

const Waiting = ({ title, sums, none, detail }: WaitingProps) => {
  const count = sums.reduce((sum, each) => sum + each.count, 0)
  const amounts = sums.map(({ amount, currency }) => money(amount, currency)).join(' · ')
  return (
    <div class="stat">
      <dt safe>{title}</dt>
      <dd safe>{amounts || '–'}</dd>
      <dd safe>{count === 0 ? none : [counted(count, 'invoice'), detail].filter(Boolean).join(', ')}</dd>
    </div>
  )
}

const Numbers = ({ summary: { numbering } }: Pick<SummaryProps, 'summary'>) => (
  <div class="stat">
    <dt>Issued</dt>
    <dd safe>{String(countOf(numbering, 'invoice'))}</dd>
    <dd class="row" data-wrap>
      <span safe>{numbersText(numbering)}</span>
      {numbering.complete ? (
        <Badge label="No gaps" tone="success" icon="shield-check" />
      ) : (
        <Badge label="Numbers are missing" tone="danger" icon="circle-alert" />
      )}
    </dd>
  </div>
)

type Numbering = InvoiceSummary['numbering']
type Series = Numbering['series'][number]

const seriesOf = ({ series }: Numbering, kind: Series['kind']) => series.filter((each) => each.kind === kind)

const countOf = (numbering: Numbering, kind: Series['kind']): number =>
  seriesOf(numbering, kind).reduce((sum, { count }) => sum + count, 0)

/** `ACME-2026-0001 to ACME-2026-0012, 2 credit notes`. */
function numbersText(numbering: Numbering): string {
  const [only, ...others] = seriesOf(numbering, 'invoice')
  const numbers = others.length > 0 ? `in ${others.length + 1} series` : only && `${only.first} to ${only.last}`
  const notes = countOf(numbering, 'credit_note')
  return [numbers, notes > 0 ? counted(notes, 'credit note') : undefined].filter(Boolean).join(', ')
}
