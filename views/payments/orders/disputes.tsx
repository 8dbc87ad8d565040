import type { Dispute, OrderDetails } from '#payments/types'
import { StatusMark } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { disputeReason, disputeStates } from './words.ts'

export const OrderDisputes = ({ order }: { order: OrderDetails }) =>
  order.disputes.length === 0 ? (
    <></>
  ) : (
    <section class="section" aria-labelledby="disputes">
      <h2 id="disputes">Disputes</h2>
      <div class="card">
        <ul class="list" data-wrap style="--pad: var(--space-4)">
          {order.disputes.map((dispute) => (
            <DisputeRow dispute={dispute} />
          ))}
        </ul>
      </div>
    </section>
  )

const DisputeRow = ({ dispute }: { dispute: Dispute }) => (
  <li>
    <span class="grow">
      <span class="row" data-wrap>
        <b safe>{money(dispute.amount, dispute.currency)}</b>
        <StatusMark {...disputeStates[dispute.status]} />
      </span>
      <small safe>{disputeReason(dispute.reason)}</small>
      {dispute.status === 'open' && dispute.evidenceDueAt ? (
        <small>
          Respond until <Time at={dispute.evidenceDueAt} />
        </small>
      ) : null}
      <small>
        <code class="wrap-anywhere" safe>
          {dispute.providerReference}
        </code>
      </small>
    </span>
    <small class="muted">
      <Time at={dispute.openedAt} form="moment" />
    </small>
  </li>
)
