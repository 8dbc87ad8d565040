import type { InvoiceCounts, InvoiceTab } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Badge } from '#views/ui/marks.tsx'
import { countText } from '../count.ts'
import { invoicesHref, invoicesTopic, type InvoicesFilter } from './filters.tsx'
import { tabNames } from './words.ts'

const tabs: readonly InvoiceTab[] = ['draft', 'open', 'overdue', 'paid', 'void', 'credit_note']

interface InvoiceTabsProps {
  counts: InvoiceCounts
  filter: InvoicesFilter
  organizationId: string | undefined
}

export const InvoiceTabs = ({ counts, filter, organizationId }: InvoiceTabsProps) => (
  <nav
    class="tabs"
    id="invoice-tabs"
    aria-label="Status"
    {...liveAt(listHref('/api/invoices/counts', filter), invoicesTopic(organizationId))}
  >
    <a href={invoicesHref(filter, { status: undefined })} aria-current={filter.status ? undefined : 'page'}>
      All
      <Badge label={countText(counts.all)} count />
    </a>
    {tabs
      .filter((tab) => tab !== 'void' || filter.status === tab || counts.byStatus[tab])
      .map((tab) => (
        <a href={invoicesHref(filter, { status: tab })} aria-current={filter.status === tab ? 'page' : undefined}>
          <span safe>{tabNames[tab]}</span>
          <Badge
            label={countText(counts.byStatus[tab] ?? 0)}
            tone={tab === 'overdue' && counts.byStatus[tab] ? 'danger' : undefined}
            count
          />
        </a>
      ))}
  </nav>
)
