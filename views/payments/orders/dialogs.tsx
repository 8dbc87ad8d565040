import type { OrderDetails } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Form, SelectField, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { money, typedMoney } from '../money.ts'

export const payDialog = 'pay'
export const captureDialog = 'capture'
export const cancelDialog = 'cancel'

interface OfOrder {
  order: OrderDetails
}

export const PayDialog = ({ order }: OfOrder) => (
  <Dialog id={payDialog} title="Create a payment link">
    <Form hx-post="/api/payments">
      <input type="hidden" name="orderId" value={order.id} />
      <div class="body stack">
        <SelectField
          label="Page"
          name="mode"
          id="pay-mode"
          autofocus
          options={[
            { value: 'checkout', label: 'Checkout page, open for a day' },
            { value: 'link', label: 'Payment link, open as long as the order' },
          ]}
        />
        <SelectField
          label="Capture"
          name="captureMethod"
          id="pay-capture"
          options={[
            { value: 'automatic', label: 'Right away' },
            { value: 'manual', label: 'Later: reserve the amount only' },
          ]}
          hint="What is reserved is released after about a week unless you capture it."
        />
        <p class="muted" safe>{`The customer pays ${money(order.total, order.currency)}. An open link is closed.`}</p>
      </div>
      <DialogButtons dialog={payDialog} submit="Create link" />
    </Form>
  </Dialog>
)

export const CaptureDialog = ({ order }: OfOrder) => {
  const payment = order.payments.find(({ status }) => status === 'authorized')
  if (!payment) return <></>
  return (
    <Dialog id={captureDialog} title={`Capture order ${order.number}`}>
      <Form hx-post={`/api/payments/${payment.id}/capture`}>
        <div class="body">
          <TextField
            label={`Amount (${order.currency})`}
            name="decimalAmount"
            id="capture-amount"
            inputmode="decimal"
            autocomplete="off"
            required
            autofocus
            value={typedMoney(payment.authorized, order.currency)}
            hint={`${money(payment.authorized, order.currency)} is reserved. The rest is released.`}
          />
          <p class="muted">An order is captured once. This can’t be undone, only refunded.</p>
        </div>
        <DialogButtons dialog={captureDialog} submit="Capture" />
      </Form>
    </Dialog>
  )
}

export const CancelDialog = ({ order }: OfOrder) => (
  <Dialog id={cancelDialog} title={`Cancel order ${order.number}?`}>
    <Form hx-post={`/api/orders/${order.id}/cancel`}>
      <div class="body">
        <p>Its payment links are closed, and what was reserved is released. This can’t be undone.</p>
      </div>
      <footer>
        <Button label="Keep order" variant="ghost" commandfor={cancelDialog} command="close" autofocus />
        <Button label="Cancel order" variant="danger" type="submit" />
      </footer>
    </Form>
  </Dialog>
)
