import type { LimitMode, SpendLimit } from '#gateway/types'
import { Field, Form } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { budgetName } from './words.ts'

export const editDialog = (id: string): string => `edit-limit-${id}`
export const deleteDialog = (id: string): string => `delete-limit-${id}`

/** The region that every change of a limit replaces. */
export const changesLimits = { 'hx-target': '#limits', 'hx-swap': 'outerMorph' } as const

interface OfLimit {
  limit: SpendLimit
}

/** Without needless zeros, as a person would type it. */
const typedDollars = (nanoUsd: number): string => {
  const [whole = '0', fraction = ''] = (nanoUsd / 1e9).toFixed(9).split('.')
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}

export const EditLimitDialog = ({ limit }: OfLimit) => {
  const id = editDialog(limit.id)
  return (
    <Dialog id={id} title={`Edit the ${budgetName(limit)}`}>
      <Form hx-patch={`/api/limits/${limit.id}`} {...changesLimits}>
        <div class="body">
          <AmountField id={`${id}-amount`} value={typedDollars(limit.limitNanoUsd)} />
          <ModeField modes={['hard', 'soft', 'observe']} value={limit.mode} />
        </div>
        <DialogButtons dialog={id} submit="Save" />
      </Form>
    </Dialog>
  )
}

export const DeleteLimitDialog = ({ limit }: OfLimit) => {
  const id = deleteDialog(limit.id)
  return (
    <Dialog id={id} title={`Delete the ${budgetName(limit)}?`}>
      <Form hx-delete={`/api/limits/${limit.id}`} {...changesLimits}>
        <div class="body">
          <p>Spending is still recorded, but this budget no longer refuses or warns. You can create it again later.</p>
        </div>
        <DialogButtons dialog={id} submit="Delete" danger focusCancel />
      </Form>
    </Dialog>
  )
}

interface AmountFieldProps {
  id: string
  value?: string
}

export const AmountField = ({ id, value }: AmountFieldProps) => (
  <Field label="Limit (US dollars)" id={id}>
    <input
      class="input"
      id={id}
      name="limitUsd"
      inputmode="decimal"
      autocomplete="off"
      required
      autofocus
      value={value}
      placeholder="200.00"
      aria-describedby={`${id}-error`}
    />
  </Field>
)

const modeChoices: { value: LimitMode; label: string; hint: string }[] = [
  { value: 'hard', label: 'Refuse calls', hint: 'Hard. Refused before anything is charged' },
  { value: 'soft', label: 'Allow and alert', hint: 'Soft. Creates an action' },
  { value: 'observe', label: 'Record only', hint: 'Observe. Nothing is blocked' },
]

interface ModeFieldProps {
  modes: LimitMode[]
  value?: LimitMode
}

export const ModeField = ({ modes, value = modes.includes('hard') ? 'hard' : modes[0] }: ModeFieldProps) => (
  <fieldset class="field">
    <legend>When the limit is reached</legend>
    <div class="modes">
      {modeChoices
        .filter((mode) => modes.includes(mode.value))
        .map((mode) => (
          <label class="check">
            <input type="radio" name="mode" value={mode.value} checked={mode.value === value} />
            <span>
              <span safe>{mode.label}</span>
              <small safe>{mode.hint}</small>
            </span>
          </label>
        ))}
    </div>
  </fieldset>
)
