import type { OrderDetails } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Fold } from '#views/ui/fold.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog } from '#views/ui/overlays.tsx'
import { money, typedMoney } from '../money.ts'
import { LineChoice, refundableLines, Why } from '../orders/refund-dialogs.tsx'
import { customerText } from '../orders/words.ts'
import { refundsRoute } from './filters.tsx'

export const newRefundDialog = 'new-refund'

/** First the order, then what of it is refunded. */
export const NewRefundDialog = () => (
  <Dialog id={newRefundDialog} title="New refund">
    <div class="body stack">
      <Form hx-get={`${refundsRoute}/order`} hx-target="#refundable-order" hx-swap="innerHTML">
        <div class="row" style="align-items: end">
          <div class="grow">
            <TextField
              label="Order number"
              name="number"
              id="refund-number"
              required
              autofocus
              autocomplete="off"
              placeholder="2026-00431"
            />
          </div>
          <Button label="Find" type="submit" />
        </div>
      </Form>
      <div id="refundable-order" data-answer aria-live="polite" />
    </div>
    <footer>
      <Button label="Cancel" variant="ghost" commandfor={newRefundDialog} command="close" />
    </footer>
  </Dialog>
)

interface OfOrder {
  order: OrderDetails
}

export const RefundableOrder = ({ order }: OfOrder) => (
  <div class="stack">
    <p class="wrap-anywhere">
      <b safe>{`${customerText(order)} paid ${money(order.captured, order.currency)}`}</b>
      <small class="muted" safe>{` Order ${order.number}`}</small>
    </p>
    {order.can.refund ? (
      <Choices order={order} />
    ) : (
      <Notice title="Nothing to refund" text="The order isn’t paid, or all of it was refunded." />
    )}
  </div>
)

const Choices = ({ order }: OfOrder) => {
  const lines = refundableLines(order)
  return (
    <>
      <Form hx-post={refundsRoute}>
        <input type="hidden" name="orderId" value={order.id} />
        <div class="stack">
          <TextField
            label={`Amount (${order.currency})`}
            name="decimalAmount"
            id="new-refund-amount"
            inputmode="decimal"
            autocomplete="off"
            required
            value={typedMoney(order.refundable, order.currency)}
            hint={`${money(order.refundable, order.currency)} of ${money(order.captured, order.currency)} can still be refunded`}
          />
          <Why id="new-refund" />
          <div class="actions">
            <Button label="Refund amount" variant="danger" type="submit" />
          </div>
        </div>
      </Form>
      {lines.length > 0 ? (
        <Fold summary="Refund lines instead">
          <Form hx-post={refundsRoute}>
            <input type="hidden" name="orderId" value={order.id} />
            <div class="stack">
              {lines.map(({ line, left }, at) => (
                <LineChoice line={line} left={left} at={at} />
              ))}
              <Why id="new-refund-lines" />
              <div class="actions">
                <Button label="Refund lines" variant="danger" type="submit" />
              </div>
            </div>
          </Form>
        </Fold>
      ) : null}
    </>
  )
}
