import type { InvoiceCounts, InvoiceFilterOptions, InvoiceList, InvoiceSummary } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { ExportLink } from '../export-link.tsx'
import { InvoiceFilters } from './filters.tsx'
import { newInvoiceDialog, NewInvoiceDialog } from './new-dialog.tsx'
import { InvoiceSummaryCard } from './summary.tsx'
import { InvoiceTable, type InvoiceQuery } from './table.tsx'
import { InvoiceTabs } from './tabs.tsx'

export interface InvoicesProps {
  list: InvoiceList
  counts: InvoiceCounts
  summary: InvoiceSummary
  options: InvoiceFilterOptions
  query: InvoiceQuery
  organizationId: string | undefined
}

export const InvoicesPage = ({ list, counts, summary, options, query, organizationId }: InvoicesProps) => {
  const { limit: _, cursor: __, ...filter } = query
  return (
    <>
      <PageHeader title="Invoices">
        <div class="actions">
          <ExportLink from="/api/invoices/export" query={query} />
          {list.can.create ? (
            <Button
              label="New invoice"
              icon="plus"
              variant="primary"
              commandfor={newInvoiceDialog}
              command="show-modal"
            />
          ) : null}
        </div>
      </PageHeader>
      <InvoiceTabs counts={counts} filter={filter} organizationId={organizationId} />
      <div class="page stack" style="--measure: none">
        <InvoiceSummaryCard summary={summary} organizationId={organizationId} />
        <InvoiceFilters options={options} filter={filter} />
        <div class="bleed">
          <InvoiceTable list={list} query={query} organizationId={organizationId} />
        </div>
      </div>
      {list.can.create ? <NewInvoiceDialog options={options} /> : null}
    </>
  )
}
