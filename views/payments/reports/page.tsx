import type { ReportFilter, ReportOptions, TakingsFilter } from '#payments/types'
import { Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { Menu } from '#views/ui/overlays.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Button } from '#views/ui/button.tsx'
import { ReportFilters } from './filters.tsx'
import { ReportTabs } from './tabs.tsx'
import { TakingsReport, type LiveTakings } from './takings.tsx'
import { takingsRoute } from './words.ts'

interface ReportsProps extends LiveTakings {
  options: ReportOptions
  /** What the address of the page says. */
  chosen: ReportFilter
}

export const ReportsPage = ({ takings, query, options, chosen, organizationId }: ReportsProps) => (
  <>
    <PageHeader title="Reports" status={<DaysIn zone={takings.timeZone} />}>
      <div class="actions">
        <Exports query={query} />
      </div>
    </PageHeader>
    <ReportTabs current="takings" merchantId={query.merchantId} />
    <div class="page stack" style="--measure: none">
      <ReportFilters options={options} query={chosen} />
      {takings.isOver ? null : (
        <Notice
          title="These numbers can still change"
          text="Today isn’t over. Corrections of closed months are booked to the day on which they are recorded."
        />
      )}
      <TakingsReport takings={takings} query={query} organizationId={organizationId} />
    </div>
  </>
)

const DaysIn = ({ zone }: { zone: string }) => (
  <small class="muted" safe>
    {`Days in ${zone}`}
  </small>
)

const Exports = ({ query }: { query: TakingsFilter }) => {
  const { limit: _, cursor: __, ...filter } = query
  const { by: ___, venueId: ____, ...entries } = filter
  return (
    <>
      <Button label="Export" icon="download" popovertarget="report-exports" />
      <Menu id="report-exports">
        <a href={listHref(`${takingsRoute}/export`, filter)}>
          <Icon name="table" />
          This table (CSV)
        </a>
        <a href={listHref('/api/ledger/export', entries)}>
          <Icon name="list" />
          All transactions (CSV)
        </a>
      </Menu>
    </>
  )
}
