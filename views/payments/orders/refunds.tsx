import type { OrderDetails, Refund } from '#payments/types'
import { StatusMark } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { refundReasons, refundStates } from './words.ts'

export const OrderRefunds = ({ order }: { order: OrderDetails }) =>
  order.refunds.length === 0 ? (
    <></>
  ) : (
    <section class="section" aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      <div class="card">
        <ul class="list" data-wrap style="--pad: var(--space-4)">
          {order.refunds.map((refund) => (
            <RefundRow refund={refund} />
          ))}
        </ul>
      </div>
    </section>
  )

const RefundRow = ({ refund }: { refund: Refund }) => (
  <li id={`refund-${refund.id}`}>
    <span class="grow">
      <span class="row" data-wrap>
        <b safe>{money(refund.amount, refund.currency)}</b>
        <StatusMark {...refundStates[refund.status]} />
      </span>
      <small class="wrap-anywhere" safe>
        {[refundReasons[refund.reason], refund.note].filter(Boolean).join(': ')}
      </small>
      {refund.failureReason ? (
        <small class="wrap-anywhere" safe>
          {refund.failureReason}
        </small>
      ) : null}
      {refund.status === 'unknown' && refund.nextCheckAt ? (
        <small>
          Checked again <Time at={refund.nextCheckAt} form="moment" />. Nothing is sent twice.
        </small>
      ) : null}
    </span>
    <small class="muted">
      <Time at={refund.createdAt} form="moment" />
    </small>
  </li>
)
