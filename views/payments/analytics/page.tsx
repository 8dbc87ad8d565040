import type { AnalyticsQuery, PaymentAnalytics } from '#payments/types'
import { addressOf } from '#views/ui/live.ts'
import { PageHeader } from '#views/ui/page-header.tsx'
import { ExportLink } from '../export-link.tsx'
import { Choice, Dates, FilterForm } from '../filters.tsx'
import { Currencies, Ranges } from '../ranges.tsx'
import { AnalyticsView } from './analytics.tsx'

const path = '/pay/analytics'

interface AnalyticsProps {
  analytics: PaymentAnalytics
  query: AnalyticsQuery
}

export const AnalyticsPage = ({ analytics, query }: AnalyticsProps) => (
  <>
    <PageHeader title="Analytics" status={<ComparedWith analytics={analytics} />}>
      <div class="actions">
        <Ranges path={path} query={query} to={analytics.to} days={analytics.days.length} />
        <Currencies path={path} query={query} currencies={analytics.currencies} chosen={analytics.currency} />
        <ExportLink from="/api/pay/analytics/export" query={query} />
      </div>
    </PageHeader>
    <div class="page stack" style="--measure: none">
      <Filters analytics={analytics} query={query} />
      <AnalyticsView analytics={analytics} />
    </div>
  </>
)

const ComparedWith = ({ analytics: { days, timeZone } }: Pick<AnalyticsProps, 'analytics'>) => (
  <small class="muted" safe>
    {`compared with the ${days.length === 1 ? 'day' : `${days.length} days`} before, in ${timeZone}`}
  </small>
)

const Filters = ({ analytics: { merchants, venues, timeZone }, query }: AnalyticsProps) => {
  const { from, to, merchantId, venueId, currency } = query
  const ofMerchant = venues.filter((venue) => !merchantId || venue.merchantId === merchantId)
  return (
    <FilterForm
      label="Filter analytics"
      path={path}
      kept={{ currency }}
      clear={(from ?? to ?? merchantId ?? venueId) ? addressOf(path, { currency }) : undefined}
    >
      <Dates from={from} to={to} timeZone={timeZone} />
      <Choice
        label="All merchants"
        name="merchantId"
        chosen={merchantId}
        options={merchants.length > 1 ? merchants.map(({ id, name }) => ({ value: id, label: name })) : []}
      />
      <Choice
        label="All venues"
        name="venueId"
        chosen={venueId}
        options={ofMerchant.length > 1 ? ofMerchant.map(({ id, name }) => ({ value: id, label: name })) : []}
      />
    </FilterForm>
  )
}
