import type { ReportFilter, ReportOptions } from '#payments/types'
import { Choice, Dates, FilterForm } from '../filters.tsx'
import { reportsPath } from './words.ts'

interface ReportFiltersProps {
  options: ReportOptions
  query: ReportFilter
  /** Of the page. */
  path?: string
}

export const ReportFilters = ({ options: { merchants }, query, path = reportsPath }: ReportFiltersProps) => {
  const merchant = merchants.find(({ id }) => id === query.merchantId) ?? merchants[0]
  return (
    <FilterForm label="Filter report" path={path} kept={{ by: query.by }}>
      <Dates from={query.from} to={query.to} timeZone={merchant?.timeZone ?? 'UTC'} />
      <Choice
        label="Merchant"
        name="merchantId"
        chosen={merchant?.id}
        options={merchants.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Choice
        label="Currency"
        name="currency"
        chosen={query.currency ?? merchant?.currencies[0]}
        options={(merchant?.currencies ?? []).map((value) => ({ value, label: value }))}
      />
    </FilterForm>
  )
}
