import type { OrderDetails } from '#payments/types'
import { Form, SelectField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { money } from '../money.ts'
import { methodText } from './words.ts'

export const chargeDialog = 'charge'

export const ChargeDialog = ({ order }: { order: OrderDetails }) => {
  const total = money(order.total, order.currency)
  return (
    <Dialog id={chargeDialog} title="Charge a saved card">
      <Form hx-post="/api/payments">
        <input type="hidden" name="orderId" value={order.id} />
        <div class="body stack">
          <SelectField
            label="Card"
            name="paymentMethodId"
            id="charge-method"
            autofocus
            options={order.savedMethods.map((method) => ({ value: method.id, label: labelOf(method) }))}
          />
          <SelectField
            label="Capture"
            name="captureMethod"
            id="charge-capture"
            options={[
              { value: 'automatic', label: 'Right away' },
              { value: 'manual', label: 'Later: reserve the amount only' },
            ]}
          />
          <p class="muted" safe>
            {`${total} is charged without the customer. If their bank wants a confirmation, a payment link is created instead.`}
          </p>
        </div>
        <DialogButtons dialog={chargeDialog} submit={`Charge ${total}`} />
      </Form>
    </Dialog>
  )
}

const labelOf = (method: OrderDetails['savedMethods'][number]): string =>
  [methodText(method), method.isDefault && 'default', method.expiry?.state === 'expired' && 'expired']
    .filter(Boolean)
    .join(', ')
