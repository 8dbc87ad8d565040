import type { CustomerCounts, CustomerList } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { ExportLink } from '../export-link.tsx'
import { NewCustomerDialog } from './dialogs.tsx'
import { CustomerFilters, type CustomersQuery } from './filters.tsx'
import { newCustomerDialog } from './names.ts'
import { CustomerTable } from './table.tsx'
import { CustomerTabs } from './tabs.tsx'

interface CustomersProps {
  list: CustomerList
  counts: CustomerCounts
  query: CustomersQuery
}

export const CustomersPage = ({ list, counts, query }: CustomersProps) => {
  const { limit: _, cursor: __, ...filter } = query
  return (
    <>
      <PageHeader title="Customers">
        <div class="actions">
          <ExportLink from="/api/customers/export" query={query} />
          {list.can.create ? (
            <Button
              label="New customer"
              icon="plus"
              variant="primary"
              commandfor={newCustomerDialog}
              command="show-modal"
            />
          ) : null}
        </div>
      </PageHeader>
      <CustomerTabs counts={counts} filter={filter} />
      <div class="page stack" style="--measure: none">
        <CustomerFilters filter={filter} />
        <div class="bleed">
          <CustomerTable list={list} query={query} />
        </div>
      </div>
      {list.can.create ? <NewCustomerDialog /> : null}
    </>
  )
}
