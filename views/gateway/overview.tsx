import type { Spending } from '#gateway/types'
import { PageHeader } from '#views/ui/page-header.tsx'
import { SpendStats } from './spend-stats.tsx'

export interface OverviewProps {
  spending: Spending
}

export const Overview = ({ spending }: OverviewProps) => (
  <>
    <PageHeader title="Spend" />
    <div class="page stack" style="--measure: none">
      <SpendStats spending={spending} />
    </div>
  </>
)
