import { PageHeader } from '#views/ui/page-header.tsx'
import { TimesIn } from '#views/ui/time.tsx'
import { ExportLink } from '../export-link.tsx'
import { Choice, Dates, FilterForm } from '../filters.tsx'
import { isNarrowed, settlementsHref, settlementsPath, SettlementTable, type SettlementListProps } from './list.tsx'

export const SettlementsPage = ({ list, query, organizationId }: SettlementListProps) => (
  <>
    <PageHeader title="Settlements" status={<TimesIn />}>
      <div class="actions">
        <ExportLink from="/api/pay/settlements/export" query={query} />
      </div>
    </PageHeader>
    <div class="page stack" style="--measure: none">
      {list.currencies.length > 0 || isNarrowed(query) ? <Filters list={list} query={query} /> : null}
      <SettlementTable list={list} query={query} organizationId={organizationId} />
    </div>
  </>
)

const Filters = ({ list: { currencies }, query }: Omit<SettlementListProps, 'organizationId'>) => (
  <FilterForm
    label="Filter settlements"
    path={settlementsPath}
    search={{ placeholder: 'Batch, item, or recipient', value: query.q }}
    kept={{ status: query.status }}
    clear={isNarrowed(query) ? settlementsHref({}, query.status) : undefined}
  >
    <Choice
      label="Currency"
      name="currency"
      chosen={query.currency}
      options={currencies.length > 1 ? currencies.map((value) => ({ value, label: value })) : []}
    />
    <Dates from={query.from} to={query.to} timeZone={query.timeZone} />
  </FilterForm>
)
