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

const Numbers = ({ summary: { numbering } }: Pick<SummaryProps, 'summary'>) => {
  const issued = numbering.series.reduce((sum, { count }) => sum + count, 0)
  const newest = numbering.series.toSorted((one, other) => other.year - one.year)[0]
  const range = newest && `${newest.first} to ${newest.last}`
  return (
    <div class="stat">
      <dt>Issued</dt>
      <dd safe>{String(issued)}</dd>
      <dd class="row" data-wrap>
        <span safe>{range}</span>
        {numbering.complete ? (
          <Badge label="No gaps" tone="success" icon="shield-check" />
        ) : (
          <Badge label="Numbers are missing" tone="danger" icon="circle-alert" />
        )}
      </dd>
    </div>
  )
}
