import type { EntitlementState } from '#identity/types'
import { SettingsSection } from '#views/ui/settings.tsx'
import { SettingRow, UsageRow } from './setting-rows.tsx'

export const PlanSection = ({ entitlement }: { entitlement: EntitlementState }) => (
  <SettingsSection
    id="plan"
    title={entitlement.allowed === null ? 'Usage' : 'Plan and seats'}
    text="A seat is one person or one agent. Third-party apps don’t count toward the plan."
  >
    <div class="card">
      <ul class="list" aria-label="Usage">
        {entitlement.allowed === null ? null : (
          <>
            <SettingRow icon="package" name={planName(entitlement)} text="Your plan" />
            <UsageRow icon="blocks" name="Paid apps" used={entitlement.used} limit={entitlement.allowed} />
          </>
        )}
        <UsageRow icon="users" name="Seats" used={entitlement.seats.used} limit={entitlement.seats.paid} />
      </ul>
    </div>
  </SettingsSection>
)

const planName = ({ mode, paidAppCount }: EntitlementState): string => {
  if (mode === 'count') return `${paidAppCount ?? 'Selected'} paid apps`
  return mode === 'all' ? 'Everything' : 'Free'
}
