import type { RefundFilter } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { Choice, Dates, FilterForm } from '../filters.tsx'
import { refundReasons } from '../orders/words.ts'

export type RefundsFilter = Partial<Omit<RefundFilter, 'limit' | 'cursor'>>

export const refundsPath = '/pay/refunds'
export const refundsRoute = '/api/refunds'

export const refundsHref = (filter: RefundsFilter, more: Record<string, string | undefined> = {}): string =>
  listHref(refundsPath, { ...filter, ...more })

export const isNarrowed = ({ q, reason, currency, from, to, orderId, requestedBy }: RefundsFilter): boolean =>
  Boolean(q ?? reason ?? currency ?? from ?? to ?? orderId ?? requestedBy)

interface RefundFiltersProps {
  filter: RefundsFilter
  currencies: string[]
}

export const RefundFilters = ({ filter, currencies }: RefundFiltersProps) => (
  <FilterForm
    label="Filter refunds"
    path={refundsPath}
    search={{ placeholder: 'Order or customer', value: filter.q }}
    kept={{ status: filter.status }}
    clear={isNarrowed(filter) ? refundsHref({ status: filter.status }) : undefined}
  >
    <Choice
      label="Reason"
      name="reason"
      chosen={filter.reason}
      options={Object.entries(refundReasons).map(([value, label]) => ({ value, label }))}
    />
    <Choice
      label="Currency"
      name="currency"
      chosen={filter.currency}
      options={currencies.length > 1 ? currencies.map((value) => ({ value, label: value })) : []}
    />
    <Dates from={filter.from} to={filter.to} timeZone={filter.timeZone} />
  </FilterForm>
)
