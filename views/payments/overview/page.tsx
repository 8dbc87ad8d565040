import { addressOf } from '#views/ui/live.ts'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Choice, Dates, FilterForm } from '../filters.tsx'
import { Dashboard, type DashboardProps } from './dashboard.tsx'

const ranges = [7, 30, 90]

export const OverviewPage = (props: DashboardProps) => (
  <>
    <PageHeader title="Overview">
      <div class="actions">
        <Ranges {...props} />
        <Currencies {...props} />
      </div>
    </PageHeader>
    <div class="page stack" style="--measure: none">
      {props.dashboard.recent.length > 0 || props.query.merchantId ? <Filters {...props} /> : null}
      <Dashboard {...props} />
    </div>
  </>
)

const Filters = ({ dashboard: { merchants }, query }: DashboardProps) => (
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

const Ranges = ({ dashboard: { days, to }, query }: DashboardProps) => (
  <nav class="segments" aria-label="Days">
    {ranges.map((count) => (
      <a
        href={addressOf('/pay', { ...query, from: dayBefore(to, count - 1) })}
        aria-current={days.length === count ? 'true' : undefined}
        safe
      >
        {`${count} days`}
      </a>
    ))}
  </nav>
)

const dayBefore = (day: string, days: number): string => Temporal.PlainDate.from(day).subtract({ days }).toString()

const Currencies = ({ dashboard: { currencies, currency }, query }: DashboardProps) =>
  currencies.length > 1 ? (
    <nav class="segments" aria-label="Currency">
      {currencies.map((code) => (
        <a
          href={addressOf('/pay', { ...query, currency: code })}
          aria-current={code === currency ? 'true' : undefined}
          safe
        >
          {code}
        </a>
      ))}
    </nav>
  ) : (
    <></>
  )
