import type { OrderFilterOptions, OrderStatus } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { Choice, Dates, FilterForm } from '../filters.tsx'

export interface OrdersFilter {
  status?: OrderStatus
  q?: string
  currency?: string
  merchantId?: string
  venueId?: string
  customerId?: string
  /** Days of `timeZone` as `2026-11-21`, both included. */
  from?: string
  to?: string
  timeZone?: string
}

export const ordersPath = '/pay/orders'
export const ordersTopic = (organizationId: string | undefined): string => `orders:${organizationId ?? ''}`

export const isNarrowed = ({ q, currency, merchantId, venueId, customerId, from, to }: OrdersFilter): boolean =>
  Boolean(q ?? currency ?? merchantId ?? venueId ?? customerId ?? from ?? to)

export const ordersHref = (filter: OrdersFilter, more: Record<string, string | undefined> = {}): string =>
  listHref(ordersPath, { ...filter, ...more })

interface OrderFiltersProps {
  options: OrderFilterOptions
  filter: OrdersFilter
}

/** Nothing while there is no order. */
export const OrderFilters = ({ options, filter }: OrderFiltersProps) =>
  options.currencies.length > 0 || isNarrowed(filter) ? <Filters options={options} filter={filter} /> : <></>

const Filters = ({ options: { currencies, merchants, venues }, filter }: OrderFiltersProps) => (
  <FilterForm
    label="Filter orders"
    path={ordersPath}
    search={{ placeholder: 'Number or customer', value: filter.q }}
    kept={{ status: filter.status, customerId: filter.customerId }}
    clear={isNarrowed(filter) ? ordersHref({ status: filter.status }) : undefined}
  >
    <Choice
      label="Currency"
      name="currency"
      chosen={filter.currency}
      options={currencies.length > 1 ? currencies.map((code) => ({ value: code, label: code })) : []}
    />
    <Choice
      label="Merchant"
      name="merchantId"
      chosen={filter.merchantId}
      options={merchants.length > 1 ? merchants.map(({ id, name }) => ({ value: id, label: name })) : []}
    />
    <Choice
      label="Venue"
      name="venueId"
      chosen={filter.venueId}
      options={venues.length > 1 ? venues.map(({ id, name }) => ({ value: id, label: name })) : []}
    />
    <Dates from={filter.from} to={filter.to} timeZone={filter.timeZone} />
  </FilterForm>
)
