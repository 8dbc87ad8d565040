import type { LimitOptions, Period, ScopeType } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Form, SelectField, TextField, ZoneField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { AmountField, changesLimits, ModeField } from './dialogs.tsx'
import { familyNames } from '../words.ts'
import { periodNames } from './words.ts'

export const newDialog = 'new-limit'

const scopeNames: Record<ScopeType, string> = {
  platform: 'Whole platform',
  organization: 'Organization',
  application: 'App or API key',
}

const usualPeriod: Period = 'month'

export const NewLimitDialog = ({ options }: { options: LimitOptions }) => (
  <Dialog id={newDialog} title="New budget">
    <Form hx-post="/api/limits" {...changesLimits}>
      <div class="body">
        <LimitFields options={options} />
        <section class="dry-run" aria-label="Dry run">
          <Button
            label="Try with the last 30 days"
            icon="history"
            hx-get="/api/limits/dry-run"
            hx-include="closest form"
            hx-target="#dry-run"
            hx-swap="innerHTML"
          />
          <div id="dry-run" data-answer aria-live="polite" />
        </section>
      </div>
      <DialogButtons dialog={newDialog} submit="Create budget" />
    </Form>
  </Dialog>
)

/** What can be chosen for a limit. */
export const LimitFields = ({ options }: { options: LimitOptions }) => (
  <>
    <div class="fields">
      <SelectField
        label="Scope"
        name="scope_type"
        value="organization"
        options={options.scopeTypes.map((value) => ({ value, label: scopeNames[value] }))}
      />
      <TextField
        label="App or API key"
        name="scope_value"
        autocomplete="off"
        hint="Its ID, such as mail. Not needed for the organization."
      />
    </div>
    <div class="fields">
      <SelectField
        label="Family"
        name="family"
        options={[
          { value: '', label: 'All families' },
          ...options.families.map((value) => ({ value, label: familyNames[value] })),
        ]}
      />
      <AmountField id="limitUsd" />
    </div>
    <div class="fields">
      <SelectField
        label="Period"
        name="period"
        value={usualPeriod}
        options={options.periods.map((value) => ({ value, label: periodNames[value] }))}
      />
      <ZoneField label="Time zone" name="timeZone" />
    </div>
    <ModeField modes={options.modes} />
  </>
)
