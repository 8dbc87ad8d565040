import type { PaymentSettings } from '#payments/types'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { typedMoney } from '../money.ts'

export type CeilingOf = PaymentSettings['raised'][number]['of']

export const settingsRoute = '/api/pay/settings'

export const changesCeilings = { 'hx-target': '#payment-ceilings', 'hx-swap': 'outerMorph' } as const

export const ceilingDialog = (of: CeilingOf, currency = 'new'): string => `ceiling-${of}-${currency}`
export const removeDialog = (of: CeilingOf, currency: string): string => `remove-${of}-${currency}`

const titles = { refunds: 'refunds', batches: 'settlement batches' } as const

interface CeilingDialogProps {
  of: CeilingOf
  /** Of a new one, it can be chosen. */
  currency?: string
  amount?: number
}

export const CeilingDialog = ({ of, currency, amount }: CeilingDialogProps) => {
  const id = ceilingDialog(of, currency)
  return (
    <Dialog id={id} title={`Ceiling of ${titles[of]}${currency ? ` in ${currency}` : ''}`}>
      <Form hx-put={settingsRoute} {...changesCeilings}>
        <div class="body">
          <input type="hidden" name="ceiling[of]" value={of} />
          {currency ? (
            <input type="hidden" name="ceiling[currency]" value={currency} />
          ) : (
            <TextField
              label="Currency"
              name="ceiling[currency]"
              id={`${id}-currency`}
              value="EUR"
              maxlength={3}
              autocomplete="off"
              autocapitalize="characters"
              required
            />
          )}
          <TextField
            label="Amount"
            name="ceiling[decimalAmount]"
            id={`${id}-amount`}
            inputmode="decimal"
            autocomplete="off"
            placeholder="500.00"
            value={currency && amount !== undefined ? typedMoney(amount, currency) : undefined}
            required
            autofocus
            hint="Above it, a second person has to approve. With 0, always."
          />
        </div>
        <DialogButtons dialog={id} submit="Save" />
      </Form>
    </Dialog>
  )
}

export const RemoveDialog = ({ of, currency }: { of: CeilingOf; currency: string }) => {
  const id = removeDialog(of, currency)
  return (
    <Dialog id={id} title={`Remove the ceiling of ${titles[of]} in ${currency}?`}>
      <Form hx-put={settingsRoute} {...changesCeilings}>
        <div class="body">
          <input type="hidden" name="ceiling[of]" value={of} />
          <input type="hidden" name="ceiling[currency]" value={currency} />
          <p>
            Any amount is then sent without an approval. For you, the ceiling applies until another person confirms it.
          </p>
        </div>
        <DialogButtons dialog={id} submit="Remove" danger focusCancel />
      </Form>
    </Dialog>
  )
}
