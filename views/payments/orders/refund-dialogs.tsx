import type { OrderDetails, OrderLine } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Form, SelectField, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { money, typedMoney } from '../money.ts'
import { refundReasons } from './words.ts'

export const refundDialog = 'refund'
const linesDialog = 'refund-lines'

interface OfOrder {
  order: OrderDetails
}

/** By amount, or by lines. */
export const RefundDialogs = ({ order }: OfOrder) => {
  const lines = refundableLines(order)
  return (
    <>
      <Dialog id={refundDialog} title={`Refund order ${order.number}`}>
        <Form hx-post="/api/refunds">
          <input type="hidden" name="orderId" value={order.id} />
          <div class="body stack">
            <TextField
              label={`Amount (${order.currency})`}
              name="decimalAmount"
              id="refund-amount"
              inputmode="decimal"
              autocomplete="off"
              required
              autofocus
              value={typedMoney(order.refundable, order.currency)}
              hint={`${money(order.refundable, order.currency)} of ${money(order.captured, order.currency)} can still be refunded`}
            />
            <Why id="refund" />
          </div>
          <footer>
            {lines.length > 0 ? (
              <span class="grow">
                <Button label="Choose lines" icon="list" commandfor={linesDialog} command="show-modal" />
              </span>
            ) : null}
            <Button label="Cancel" variant="ghost" commandfor={refundDialog} command="close" />
            <Button label="Refund" variant="danger" type="submit" />
          </footer>
        </Form>
      </Dialog>
      {lines.length > 0 ? (
        <Dialog id={linesDialog} title="Refund lines">
          <Form hx-post="/api/refunds">
            <input type="hidden" name="orderId" value={order.id} />
            <div class="body stack">
              {lines.map(({ line, left }, at) => (
                <LineChoice line={line} left={left} at={at} />
              ))}
              <Why id="refund-lines" />
            </div>
            <DialogButtons dialog={linesDialog} submit="Refund lines" danger />
          </Form>
        </Dialog>
      ) : null}
    </>
  )
}

export const refundableLines = (order: OrderDetails): { line: OrderLine; left: number }[] =>
  order.lines.flatMap((line) => {
    const left = line.quantity - refundedOf(order, line)
    return left > 0 && line.total > 0 ? [{ line, left }] : []
  })

/** How many of a line are refunded, or will be. */
const refundedOf = ({ refunds }: OrderDetails, { position }: OrderLine): number =>
  refunds
    .filter(({ status }) => status !== 'failed' && status !== 'cancelled')
    .flatMap(({ lines }) => lines.filter((line) => line.position === position))
    .reduce((sum, { quantity }) => sum + quantity, 0)

export const LineChoice = ({ line, left, at }: { line: OrderLine; left: number; at: number }) => (
  <>
    <input type="hidden" name={`lines[${at}][position]`} value={String(line.position)} />
    <TextField
      label={line.name}
      name={`lines[${at}][quantity]`}
      id={`refund-line-${line.position}`}
      type="number"
      inputmode="numeric"
      min={0}
      max={left}
      autofocus={at === 0}
      placeholder="0"
      hint={`How many: up to ${left}`}
    />
  </>
)

export const Why = ({ id }: { id: string }) => (
  <>
    <SelectField
      label="Reason"
      name="reason"
      id={`${id}-reason`}
      options={Object.entries(refundReasons).map(([value, label]) => ({ value, label }))}
    />
    <TextField label="Note" name="note" id={`${id}-note`} maxlength={1000} autocomplete="off" hint="Optional" />
    <p class="small muted">
      The money arrives in 5 to 10 days. A refund can’t be taken back. Above your limit a second person confirms it.
    </p>
  </>
)
