import type { PaymentSettings } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { money } from '../money.ts'
import { CeilingDialog, ceilingDialog, RemoveDialog, removeDialog, type CeilingOf } from './dialogs.tsx'
import { Raised } from './raised.tsx'

interface CeilingsProps {
  settings: PaymentSettings
}

/** The region that every change replaces. */
export const Ceilings = ({ settings }: CeilingsProps) => (
  <div id="payment-ceilings" class="page settings">
    {settings.raised.length > 0 ? <Raised settings={settings} /> : null}
    <SettingsSection
      id="refund-ceilings"
      title="Refunds"
      text="Above a ceiling, a second person has to approve. What one person refunds of an order within 24 hours counts together."
    >
      <CeilingCard of="refunds" label="Ceilings of refunds" ceilings={settings.refundCeilings} can={settings.can} />
    </SettingsSection>
    <SettingsSection
      id="batch-ceilings"
      title="Settlement batches"
      text="Above a ceiling, a second person has to approve. What one person or service sends within 24 hours counts together."
    >
      <CeilingCard of="batches" label="Ceilings of batches" ceilings={settings.batchCeilings} can={settings.can} />
    </SettingsSection>
    {settings.approvers.length > 0 ? (
      <SettingsSection
        id="setting-approvers"
        title="Who can change this"
        text="A raised or removed ceiling has to be confirmed by another one of them."
      >
        <div class="card">
          <ul class="list" aria-label="Who can change this">
            {settings.approvers.map((name) => (
              <Setting icon="user-check" name={name} />
            ))}
          </ul>
        </div>
      </SettingsSection>
    ) : null}
  </div>
)

interface CeilingCardProps {
  of: CeilingOf
  label: string
  ceilings: PaymentSettings['refundCeilings']
  can: PaymentSettings['can']
}

const CeilingCard = ({ of, label, ceilings, can }: CeilingCardProps) => {
  const rows = Object.entries(ceilings).toSorted(([one], [other]) => one.localeCompare(other))
  return (
    <div class="card">
      <ul class="list" aria-label={label}>
        {rows.map(([currency, amount]) => (
          <CeilingRow of={of} currency={currency} amount={amount} canUpdate={can.update} />
        ))}
        {rows.length === 0 ? <Setting name="No ceiling" detail={noCeiling[of]} /> : null}
      </ul>
      {can.update ? (
        <footer>
          <Button
            id={`add-${of}-ceiling`}
            label="Set ceiling"
            aria-label={addLabels[of]}
            icon="plus"
            commandfor={ceilingDialog(of)}
            command="show-modal"
          />
          <CeilingDialog of={of} />
        </footer>
      ) : null}
    </div>
  )
}

const addLabels = { refunds: 'Set ceiling of refunds', batches: 'Set ceiling of batches' } as const

const noCeiling = {
  refunds: 'Refunds of any amount are sent at once.',
  batches: 'Batches of any amount are paid at once.',
} as const

interface CeilingRowProps {
  of: CeilingOf
  currency: string
  amount: number
  canUpdate: boolean
}

const CeilingRow = ({ of, currency, amount, canUpdate }: CeilingRowProps) => (
  <Setting name={currency} detail={ceilingText(of, currency, amount)}>
    {canUpdate ? (
      <>
        <Button
          label="Edit"
          aria-label={`Edit ceiling of ${of} in ${currency}`}
          size="sm"
          commandfor={ceilingDialog(of, currency)}
          command="show-modal"
        />
        <Button
          label="Remove"
          aria-label={`Remove ceiling of ${of} in ${currency}`}
          size="sm"
          variant="quiet-danger"
          commandfor={removeDialog(of, currency)}
          command="show-modal"
        />
        <CeilingDialog of={of} currency={currency} amount={amount} />
        <RemoveDialog of={of} currency={currency} />
      </>
    ) : null}
  </Setting>
)

function ceilingText(of: CeilingOf, currency: string, amount: number): string {
  if (amount === 0) return of === 'refunds' ? 'Every refund' : 'Every batch'
  return `Above ${money(amount, currency)}`
}
