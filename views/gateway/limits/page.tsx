import type { LimitOptions, SpendLimitList } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { TimesIn } from '#views/ui/time.tsx'
import { LimitsCard, type Shown } from './limits.tsx'
import { newDialog, NewLimitDialog } from './new-dialog.tsx'

export interface LimitsPageProps {
  list: SpendLimitList
  shown: Shown
  /** Null for those who can't create one. */
  options: LimitOptions | null
}

export const LimitsPage = ({ list, shown, options }: LimitsPageProps) => (
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
    </div>
    {options ? <NewLimitDialog options={options} /> : null}
  </>
)
