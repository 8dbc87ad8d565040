import type { OrderCounts, OrderFilterOptions, OrderList } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { ExportLink } from '../export-link.tsx'
import { OrderFilters } from './filters.tsx'
import { newOrderDialog, NewOrderDialog } from './new-dialog.tsx'
import { OrderTable, type OrderQuery } from './table.tsx'
import { OrderTabs } from './tabs.tsx'

export interface OrdersProps {
  list: OrderList
  counts: OrderCounts
  options: OrderFilterOptions
  query: OrderQuery
  organizationId: string | undefined
}

export const OrdersPage = ({ list, counts, options, query, organizationId }: OrdersProps) => {
  const { limit: _, cursor: __, ...filter } = query
  return (
    <>
      <PageHeader title="Orders">
        <div class="actions">
          <ExportLink from="/api/orders/export" query={query} />
          {list.can.create ? (
            <Button label="New order" icon="plus" variant="primary" commandfor={newOrderDialog} command="show-modal" />
          ) : null}
        </div>
      </PageHeader>
      <OrderTabs counts={counts} filter={filter} organizationId={organizationId} />
      <div class="page stack" style="--measure: none">
        <OrderFilters options={options} filter={filter} />
        <div class="bleed">
          <OrderTable list={list} query={query} organizationId={organizationId} />
        </div>
      </div>
      {list.can.create ? <NewOrderDialog options={options} canChooseCustomer={list.can.chooseCustomer} /> : null}
    </>
  )
}
