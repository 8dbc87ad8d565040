import type { LimitAlertList, LimitOptions, LimitRevisionList, SpendLimitList, VideoQuota } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { TimesIn } from '#views/ui/time.tsx'
import { LimitAlerts, LimitRevisions } from './history.tsx'
import { LimitsCard, type Shown } from './limits.tsx'
import { newDialog, NewLimitDialog } from './new-dialog.tsx'
import { VideoQuotaCard } from './video-quota.tsx'

export interface LimitsPageProps {
  list: SpendLimitList
  alerts: LimitAlertList
  revisions: LimitRevisionList
  quota: VideoQuota
  shown: Shown
  /** Null for those who can't create one. */
  options: LimitOptions | null
}

export const LimitsPage = ({ list, alerts, revisions, quota, shown, options }: LimitsPageProps) => (
  <>
    <PageHeader title="Budgets" status={<TimesIn />}>
      {options ? (
        <div class="actions">
          <Button label="New budget" icon="plus" variant="primary" commandfor={newDialog} command="show-modal" />
        </div>
      ) : null}
    </PageHeader>
    <div class="page stack" style="--measure: none">
      <LimitsCard list={list} shown={shown} />
      <VideoQuotaCard quota={quota} />
      <div class="sides">
        <LimitAlerts list={alerts} />
        <LimitRevisions list={revisions} />
      </div>
    </div>
    {options ? <NewLimitDialog options={options} /> : null}
  </>
)
