import { addressOf } from '#views/ui/live.ts'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Choice, Dates, FilterForm } from '../filters.tsx'
import { Currencies, Ranges } from '../ranges.tsx'
import { Dashboard, type DashboardProps } from './dashboard.tsx'

export const OverviewPage = ({ dashboard, query, organizationId }: DashboardProps) => (
  <>
    <PageHeader title="Overview">
      <div class="actions">
        <Ranges path="/pay" query={query} to={dashboard.to} days={dashboard.days.length} />
        <Currencies path="/pay" query={query} currencies={dashboard.currencies} chosen={dashboard.currency} />
      </div>
    </PageHeader>
    <div class="page stack" style="--measure: none">
      {dashboard.recent.length > 0 || query.merchantId ? <Filters dashboard={dashboard} query={query} /> : null}
      <Dashboard dashboard={dashboard} query={query} organizationId={organizationId} />
    </div>
  </>
)

const Filters = ({ dashboard: { merchants }, query }: Omit<DashboardProps, 'organizationId'>) => (
  <FilterForm
    label="Filter the overview"
    path="/pay"
    kept={{ currency: query.currency }}
    clear={(query.from ?? query.to ?? query.merchantId) ? addressOf('/pay', { currency: query.currency }) : undefined}
  >
    <Dates from={query.from} to={query.to} inUtc />
    <Choice
      label="All merchants"
      name="merchantId"
      chosen={query.merchantId}
      options={merchants.length > 1 ? merchants.map(({ id, name }) => ({ value: id, label: name })) : []}
    />
  </FilterForm>
)
