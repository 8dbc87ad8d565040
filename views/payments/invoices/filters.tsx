import type { InvoiceFilterOptions, InvoiceTab } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { Choice, Dates, FilterForm } from '../filters.tsx'

export interface InvoicesFilter {
  status?: InvoiceTab
  q?: string
  email?: string
  currency?: string
  merchantId?: string
  customerId?: string
  orderId?: string
  /** Days of issue as `2026-11-21`, both included. */
  from?: string
  to?: string
}

export const invoicesPath = '/pay/invoices'
export const invoicesTopic = (organizationId: string | undefined): string => `invoices:${organizationId ?? ''}`

export const isNarrowed = ({
  q,
  email,
  currency,
  merchantId,
  customerId,
  orderId,
  from,
  to,
}: InvoicesFilter): boolean => Boolean(q ?? email ?? currency ?? merchantId ?? customerId ?? orderId ?? from ?? to)

export const invoicesHref = (filter: InvoicesFilter, more: Record<string, string | undefined> = {}): string =>
  listHref(invoicesPath, { ...filter, ...more })

interface InvoiceFiltersProps {
  options: InvoiceFilterOptions
  filter: InvoicesFilter
}

export const InvoiceFilters = ({ options, filter }: InvoiceFiltersProps) => (
  <FilterForm
    label="Filter invoices"
    path={invoicesPath}
    search={{ placeholder: 'Number or customer', value: filter.q }}
    kept={{ status: filter.status, email: filter.email, customerId: filter.customerId, orderId: filter.orderId }}
    clear={isNarrowed(filter) ? invoicesHref({ status: filter.status }) : undefined}
  >
    <Choice
      label="Merchant"
      name="merchantId"
      chosen={filter.merchantId}
      options={several(options.merchants.map(({ id, name }) => ({ value: id, label: name })))}
    />
    <Choice
      label="Currency"
      name="currency"
      chosen={filter.currency}
      options={several(options.currencies.map((code) => ({ value: code, label: code })))}
    />
    <Dates from={filter.from} to={filter.to} />
  </FilterForm>
)

const several = <Option,>(options: Option[]): Option[] => (options.length > 1 ? options : [])
