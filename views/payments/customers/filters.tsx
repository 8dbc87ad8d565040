import type { CustomerKind } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { FilterForm } from '../filters.tsx'

export interface CustomersFilter {
  q?: string | undefined
  kind?: CustomerKind | undefined
  country?: string | undefined
  attention?: 'open' | undefined
  state?: 'active' | 'archived' | undefined
}

export interface CustomersQuery extends CustomersFilter {
  limit: number
  cursor?: string
}

export const customersPath = '/pay/customers'
export const customersRoute = '/api/customers'

/** Active ones have no parameter. */
export const customersHref = ({ state, ...filter }: CustomersFilter): string =>
  listHref(customersPath, { ...filter, state: state === 'archived' ? state : undefined })

export const isNarrowed = ({ q, country }: CustomersFilter): boolean => Boolean(q ?? country)

export const CustomerFilters = ({ filter }: { filter: CustomersFilter }) => (
  <FilterForm
    label="Filter customers"
    path={customersPath}
    search={{ placeholder: 'Name, email, or tax number', ...(filter.q !== undefined && { value: filter.q }) }}
    kept={{
      kind: filter.kind,
      country: filter.country,
      attention: filter.attention,
      state: filter.state === 'archived' ? filter.state : undefined,
    }}
    {...(isNarrowed(filter) && { clear: customersHref({ ...filter, q: undefined, country: undefined }) })}
  />
)
