import type { Budget, Spending, UsageReport } from '#gateway/types'
import { PageHeader } from '#views/ui/page-header.tsx'
import { BudgetsCard } from './budgets-table.tsx'
import { FirstRequest, type FirstRequestProps } from './first-request.tsx'
import { SpendStats } from './spend-stats.tsx'
import { UsageReportCards, type ReportQuery } from './usage-report.tsx'

export interface OverviewProps {
  spending: Spending
  report: UsageReport
  budgets: Budget[]
  query: ReportQuery
  firstRequest: FirstRequestProps
}

export const Overview = ({ spending, report, budgets, query, firstRequest }: OverviewProps) => (
  <>
    <PageHeader title="Spend" />
    <div class="page stack" style="--measure: none">
      {spending.requests + spending.previous.requests === 0 ? <FirstRequest {...firstRequest} /> : null}
      <SpendStats spending={spending} />
      <UsageReportCards report={report} query={query} />
      <BudgetsCard budgets={budgets} />
      <p class="small muted">Costs are in US dollars, days in UTC.</p>
    </div>
  </>
)
