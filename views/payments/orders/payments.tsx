import type { OrderDetails, OrderPayment } from '#payments/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { StatusMark } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { cardText, paymentModes, paymentStates } from './words.ts'

export const OrderPayments = ({ order }: { order: OrderDetails }) =>
  order.payments.length === 0 ? (
    <></>
  ) : (
    <section class="section" aria-labelledby="payments">
      <h2 id="payments">Payments</h2>
      <div class="card">
        <ul class="list" data-wrap style="--pad: var(--space-4)">
          {order.payments.map((payment) => (
            <Payment payment={payment} can={order.can} />
          ))}
        </ul>
      </div>
    </section>
  )

interface OfPayment {
  payment: OrderPayment
  can: OrderDetails['can']
}

const isOpen = ({ status }: OrderPayment): boolean =>
  status === 'unknown' || status === 'requires_action' || status === 'processing' || status === 'authorized'

const Payment = ({ payment, can }: OfPayment) => (
  <li id={`payment-${payment.id}`}>
    <span class="grow">
      <span class="row" data-wrap>
        <b safe>{money(payment.amount, payment.currency)}</b>
        <span safe>{payment.card ? cardText(payment.card) : paymentModes[payment.mode]}</span>
        <StatusMark {...paymentStates[payment.status]} />
      </span>
      <Details payment={payment} />
    </span>
    {isOpen(payment) ? <Actions payment={payment} can={can} /> : null}
  </li>
)

const Details = ({ payment }: { payment: OrderPayment }) => (
  <>
    {payment.failure ? (
      <small class="wrap-anywhere" safe>
        {payment.failure.message}
      </small>
    ) : null}
    {payment.accountLostAt ? <small>{accountLost}</small> : null}
    {payment.duplicateOf ? <small>The order was paid already. This payment is refunded in full.</small> : null}
    {payment.authorized > 0 ? (
      <small safe>{`${money(payment.authorized, payment.currency)} is reserved until you capture it.`}</small>
    ) : null}
    <small>
      Created <Time at={payment.createdAt} />
      {payment.checkedAt ? (
        <>
          , checked <Time at={payment.checkedAt} form="moment" />
        </>
      ) : null}
    </small>
    {payment.checkoutUrl ? <CheckoutLink url={payment.checkoutUrl} /> : null}
    {payment.providerReference ? (
      <small>
        <code class="wrap-anywhere" safe>
          {payment.providerReference}
        </code>
      </small>
    ) : null}
  </>
)

/** Of a payment or refund whose account has no key. */
export const accountLost =
  'Made at an account at the payment provider whose key is no longer stored. Its state can’t be read until the key is back under the organization’s credentials.'

const CheckoutLink = ({ url }: { url: string }) => (
  <copy-text class="row" data-wrap>
    <output class="small mono wrap-anywhere" aria-label="Payment link" safe>
      {url}
    </output>
    <Button label="Copy link" icon="copy" size="sm" data-copy />
    <ButtonLink
      label="Open"
      icon="arrow-up-right"
      size="sm"
      variant="ghost"
      href={url}
      target="_blank"
      rel="noopener"
    />
    <span class="muted small" role="status" />
  </copy-text>
)

const Actions = ({ payment, can }: OfPayment) => (
  <div class="actions">
    {can.pay ? (
      <Form hx-post={`/api/payments/${payment.id}/check`}>
        <Button label="Check now" icon="rotate-cw" size="sm" type="submit" id={`check-${payment.id}`} />
      </Form>
    ) : null}
    {can.cancel ? (
      <Form hx-post={`/api/payments/${payment.id}/cancel`} hx-confirm={cancelQuestion(payment)}>
        <Button label="Cancel payment" size="sm" variant="ghost" type="submit" id={`cancel-${payment.id}`} />
      </Form>
    ) : null}
  </div>
)

const cancelQuestion = ({ authorized }: OrderPayment): string =>
  authorized > 0
    ? 'Cancel this payment? What was reserved is released to the customer.'
    : 'Cancel this payment? Its link is closed.'
