import type { RefundCounts } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { ExportLink } from '../export-link.tsx'
import { isNarrowed, RefundFilters, refundsRoute } from './filters.tsx'
import { newRefundDialog, NewRefundDialog } from './new-dialog.tsx'
import { RefundTable, type RefundTableProps } from './table.tsx'
import { RefundTabs } from './tabs.tsx'

interface RefundsProps extends RefundTableProps {
  counts: RefundCounts
}

export const RefundsPage = ({ list, counts, query, organizationId }: RefundsProps) => {
  const { limit: _, cursor: __, ...filter } = query
  return (
    <>
      <PageHeader title="Refunds">
        <div class="actions">
          <ExportLink from={`${refundsRoute}/export`} query={query} />
          {list.can.create ? (
            <Button
              label="New refund"
              icon="plus"
              variant="primary"
              commandfor={newRefundDialog}
              command="show-modal"
            />
          ) : null}
        </div>
      </PageHeader>
      <RefundTabs counts={counts} filter={filter} organizationId={organizationId} />
      <div class="page stack" style="--measure: none; --gap: var(--space-6)">
        {counts.all > 0 || isNarrowed(filter) ? <RefundFilters filter={filter} currencies={list.currencies} /> : null}
        <RefundTable list={list} query={query} organizationId={organizationId} />
      </div>
      {list.can.create ? <NewRefundDialog /> : null}
    </>
  )
}
