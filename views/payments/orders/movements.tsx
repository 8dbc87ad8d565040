import type { OrderDetails, OrderEvent, OrderMovement } from '#payments/types'
import { Fold } from '#views/ui/fold.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { Time } from '#views/ui/time.tsx'
import { accountNames, kindNames } from '../ledger/words.ts'
import { money } from '../money.ts'

const refundEvents = ['refund_sent', 'refund_succeeded', 'refund_failed', 'refund_cancelled']

/** The events of the timeline that a transaction can belong to. */
const eventsOf: Partial<Record<OrderMovement['kind'], readonly string[]>> = {
  capture: ['captured'],
  refund_created: refundEvents,
  refund_settled: ['refund_succeeded'],
  refund_reversed: ['refund_cancelled', 'refund_failed'],
  refund_failed: ['refund_failed'],
  dispute_opened: ['dispute_opened'],
  dispute_won: ['dispute_won'],
  dispute_lost: ['dispute_lost'],
}

const isAbout = ({ kind, facts }: OrderEvent, { kind: moved, refundId, disputeId }: OrderMovement): boolean =>
  (eventsOf[moved]?.includes(kind) ?? false) &&
  (facts['refundId'] ?? null) === refundId &&
  (facts['disputeId'] ?? null) === disputeId

/** The transactions of each event, the oldest event that they belong to; `rest` belong to none. */
export function movementsOf({ ledger, timeline }: OrderDetails) {
  const byEvent = Map.groupBy(ledger ?? [], (movement) => timeline.findLast((event) => isAbout(event, movement))?.id)
  return { of: ({ id }: OrderEvent) => byEvent.get(id)?.toReversed() ?? [], rest: byEvent.get(undefined) ?? [] }
}

export const Movement = ({ movement }: { movement: OrderMovement }) => (
  <Fold
    summary={
      <span
        safe
      >{`Ledger: ${kindNames[movement.kind].toLowerCase()}, ${movement.entries.length} entries, balanced`}</span>
    }
  >
    <dl class="facts" data-end>
      {movement.entries.map(({ account, amount, currency }) => (
        <>
          <dt class="wrap-anywhere" safe>
            {account === 'merchant' ? `Merchant ${movement.merchantName ?? ''}` : accountNames[account]}
          </dt>
          <dd safe>{`${amount > 0 ? '+' : ''}${money(amount, currency)}`}</dd>
        </>
      ))}
    </dl>
  </Fold>
)

/** Those that no event of the timeline shows, such as corrections. */
export const OtherMovements = ({ order }: { order: OrderDetails }) => {
  const { rest } = movementsOf(order)
  if (rest.length === 0) return <></>
  return (
    <section class="section" aria-labelledby="movements">
      <header>
        <h2 id="movements">More ledger entries</h2>
        <a class="link small" href={listHref('/pay/transactions', { orderId: order.id })}>
          All
        </a>
      </header>
      <div class="card">
        <ul class="list" data-wrap style="--pad: var(--space-4)">
          {rest.map((movement) => (
            <li>
              <span class="grow">
                <Movement movement={movement} />
                {movement.note ? (
                  <small class="wrap-anywhere" safe>
                    {movement.note}
                  </small>
                ) : null}
              </span>
              <small class="nowrap">
                <Time at={movement.at} form="moment" />
              </small>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
