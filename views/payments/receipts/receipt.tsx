import type { Receipt, ReceiptStatus } from '#payments/types'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { orderStates } from '../orders/words.ts'

interface ReceiptProps {
  receipt: Receipt
  token: string
}

const waiting: StatusLook = { state: 'waiting', icon: 'hourglass', word: 'Waiting' }

const words: Record<ReceiptStatus, { title: string; text: string; look: StatusLook }> = {
  confirming: {
    title: 'We’re confirming your payment',
    text: 'This page updates itself. You don’t have to pay again.',
    look: waiting,
  },
  unpaid: { title: 'This order isn’t paid yet', text: 'Use the payment link that you received.', look: waiting },
  authorized: {
    title: 'Thank you for your order',
    text: 'The amount is reserved on your card. It is taken when the seller confirms.',
    look: { state: 'scheduled', icon: 'shield-check', word: 'Reserved' },
  },
  paid: { title: 'Thank you for your order', text: 'Your payment has arrived.', look: orderStates.paid },
  partially_refunded: {
    title: 'Part of your payment was refunded',
    text: 'Refunds arrive in 5 to 10 days.',
    look: orderStates.partially_refunded,
  },
  refunded: {
    title: 'Your payment was refunded',
    text: 'Refunds arrive in 5 to 10 days.',
    look: orderStates.refunded,
  },
  failed: {
    title: 'Your payment was declined',
    text: 'Nothing was charged. Use the payment link to try another card.',
    look: orderStates.failed,
  },
  cancelled: { title: 'This order was canceled', text: 'Nothing was charged.', look: orderStates.cancelled },
  expired: {
    title: 'This payment link has expired',
    text: 'Nothing was charged. Ask the seller for a new one.',
    look: orderStates.expired,
  },
}

export const ReceiptCard = ({ receipt, token }: ReceiptProps) => (
  <section
    class="card receipt"
    id="receipt"
    aria-labelledby="receipt-title"
    {...(receipt.status === 'confirming' && refreshing(token))}
  >
    <header>
      {receipt.shop ? (
        <span class="muted wrap-anywhere" safe>
          {receipt.shop}
        </span>
      ) : null}
      <h1 id="receipt-title" aria-live="polite" safe>
        {words[receipt.status].title}
      </h1>
      <p class="muted" safe>
        {words[receipt.status].text}
      </p>
    </header>
    <div class="row" data-wrap>
      <b safe>{money(receipt.total, receipt.currency)}</b>
      <StatusMark {...words[receipt.status].look} />
      <small class="muted" safe>{`Order ${receipt.number}`}</small>
    </div>
    <ul class="list" aria-label="Items">
      {receipt.lines.map(({ name, quantity, total }) => (
        <li>
          <span class="grow wrap-anywhere" safe>
            {quantity > 1 ? `${quantity} × ${name}` : name}
          </span>
          <span class="nowrap" safe>
            {money(total, receipt.currency)}
          </span>
        </li>
      ))}
    </ul>
    <Sums receipt={receipt} />
    {receipt.paidAt ? (
      <small class="muted">
        Paid <Time at={receipt.paidAt} />
      </small>
    ) : null}
  </section>
)

const refreshing = (token: string) =>
  ({
    'hx-get': `/api/pay/receipts/${token}`,
    'hx-trigger': 'every 3s',
    'hx-target': 'this',
    'hx-swap': 'outerMorph',
  }) as const

const Sums = ({ receipt: { currency, discount, taxes, taxMode, total, refunded } }: { receipt: Receipt }) => (
  <dl class="facts totals">
    {discount > 0 ? <Sum name="Discount" amount={money(-discount, currency)} /> : null}
    {taxes.map(({ rate, amount }) => (
      <Sum name={`Tax ${rate}%${taxMode === 'inclusive' ? ', included' : ''}`} amount={money(amount, currency)} />
    ))}
    <Sum name="Total" amount={money(total, currency)} />
    {refunded > 0 ? <Sum name="Refunded" amount={money(-refunded, currency)} /> : null}
  </dl>
)

const Sum = ({ name, amount }: { name: string; amount: string }) => (
  <>
    <dt safe>{name}</dt>
    <dd class="end" safe>
      {amount}
    </dd>
  </>
)
