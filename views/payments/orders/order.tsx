import type { OrderDetails } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { StatusMark } from '#views/ui/marks.tsx'
import { Menu, MenuItem, MenuLink } from '#views/ui/overlays.tsx'
import { money } from '../money.ts'
import { OrderAside } from './aside.tsx'
import { chargeDialog, ChargeDialog } from './charge-dialog.tsx'
import { cancelDialog, CancelDialog, captureDialog, CaptureDialog, payDialog, PayDialog } from './dialogs.tsx'
import { OrderDisputes } from './disputes.tsx'
import { ordersPath, ordersTopic } from './filters.tsx'
import { OrderLines } from './lines.tsx'
import { OtherMovements } from './movements.tsx'
import { OrderPayments } from './payments.tsx'
import { RefundDialogs, refundDialog } from './refund-dialogs.tsx'
import { OrderRefunds } from './refunds.tsx'
import { CopyId } from './table.tsx'
import { Timeline } from './timeline.tsx'
import { orderStates } from './words.ts'

export interface OrderProps {
  order: OrderDetails
  organizationId: string | undefined
}

export const OrderView = ({ order, organizationId }: OrderProps) => (
  <div id="order" {...liveAt(`/api/orders/${order.id}`, ordersTopic(organizationId))}>
    <OrderHeader order={order} />
    <div class="page split">
      <div class="stack" style="--gap: var(--space-8)">
        <Next order={order} />
        <OrderPayments order={order} />
        <Timeline order={order} />
        <OrderLines order={order} />
        <OrderRefunds order={order} />
        <OrderDisputes order={order} />
        <OtherMovements order={order} />
      </div>
      <OrderAside order={order} />
    </div>
  </div>
)

interface OfOrder {
  order: OrderDetails
}

const OrderHeader = ({ order }: OfOrder) => (
  <header class="page-header">
    <nav class="crumbs" aria-label="Breadcrumb">
      <a href={ordersPath}>Orders</a>
    </nav>
    <h1>
      <span safe>{money(order.total, order.currency)}</span>
      <small class="muted" safe>{`Order ${order.number}`}</small>
    </h1>
    <StatusMark {...orderStates[order.status]} />
    <div class="actions">
      {order.can.capture ? (
        <Button
          label="Capture"
          id="open-capture"
          icon="check"
          variant="primary"
          commandfor={captureDialog}
          command="show-modal"
        />
      ) : null}
      {canCharge(order) ? (
        <Button
          label="Charge card"
          id="open-charge"
          icon="credit-card"
          commandfor={chargeDialog}
          command="show-modal"
        />
      ) : null}
      {order.can.pay && !order.can.capture ? (
        <Button
          label={isOpen(order) ? 'New payment link' : 'Create payment link'}
          id="open-pay"
          icon="link"
          variant={isOpen(order) ? undefined : 'primary'}
          commandfor={payDialog}
          command="show-modal"
        />
      ) : null}
      {order.can.refund ? (
        <Button label="Refund" id="open-refund" icon="undo-2" commandfor={refundDialog} command="show-modal" />
      ) : null}
      <Button label="More actions" icon="ellipsis" iconOnly popovertarget="order-menu" />
      <Menu id="order-menu">
        <CopyId id={order.id} />
        <MenuLink label="Show as JSON" icon="code" href={`/api/orders/${order.id}?format=json`} />
        {order.captured > 0 ? (
          <MenuLink
            label="Show in the ledger"
            icon="arrow-left-right"
            href={listHref('/pay/transactions', { orderId: order.id })}
          />
        ) : null}
        {order.invoice ? (
          <MenuLink label="Show invoice" icon="file-text" href={`/pay/invoices/${order.invoice.id}`} />
        ) : null}
        {order.can.invoice ? (
          <MenuItem
            label="Create invoice"
            icon="file-text"
            hx-post="/api/invoices"
            hx-vals={JSON.stringify({ orderId: order.id })}
            hx-swap="none"
          />
        ) : null}
        {order.can.cancel ? (
          <>
            <hr />
            <MenuItem label="Cancel order" icon="circle-slash" danger commandfor={cancelDialog} command="show-modal" />
          </>
        ) : null}
      </Menu>
    </div>
    {order.can.pay ? <PayDialog order={order} /> : null}
    {canCharge(order) ? <ChargeDialog order={order} /> : null}
    {order.can.capture ? <CaptureDialog order={order} /> : null}
    {order.can.cancel ? <CancelDialog order={order} /> : null}
    {order.can.refund ? <RefundDialogs order={order} /> : null}
  </header>
)

const canCharge = ({ can, savedMethods }: OrderDetails): boolean => can.pay && !can.capture && savedMethods.length > 0

/** Whether the customer has a page to pay on. */
const isOpen = ({ payments }: OrderDetails): boolean => payments.some(({ checkoutUrl }) => checkoutUrl)

/** What to do next, while no money came. */
const Next = ({ order }: OfOrder) => {
  const unknown = order.payments.find(({ status }) => status === 'unknown')
  if (unknown)
    return (
      <Notice
        tone="warning"
        role="status"
        title="The payment provider’s response was lost"
        text="We ask it again until the outcome is certain. Nothing is charged twice."
      />
    )
  if (order.status === 'disputed')
    return (
      <Notice
        tone="danger"
        title="The customer disputes this payment"
        text="Respond with evidence at your payment provider before it is due."
      />
    )
  if (order.payments.length > 0 || !order.can.pay) return <></>
  return (
    <Notice
      title="Waits for a payment link"
      text="Create a payment link, and send it to the customer. The order is paid as soon as the money is captured."
    />
  )
}
