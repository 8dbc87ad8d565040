import type { OrderDetails } from '#payments/types'
import { Avatar } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { Fact, MetadataFacts } from '../facts.tsx'
import { money } from '../money.ts'
import { numberText } from '../invoices/words.ts'
import { cardText, customerText } from './words.ts'

interface OfOrder {
  order: OrderDetails
}

export const OrderAside = ({ order }: OfOrder) => (
  <aside class="stack" style="--gap: var(--space-6)" aria-label="About the order">
    <Customer order={order} />
    <Payment order={order} />
    <Details order={order} />
  </aside>
)

const Customer = ({ order }: OfOrder) => (
  <section class="section" aria-labelledby="customer">
    <h2 id="customer">Customer</h2>
    <div class="row">
      <Avatar name={customerText(order)} size="lg" />
      <span class="grow wrap-anywhere">
        {order.customer.id ? (
          <a class="link" href={`/pay/customers/${order.customer.id}`} safe>
            {customerText(order)}
          </a>
        ) : (
          <span safe>{customerText(order)}</span>
        )}
        {order.customer.name && order.customer.email ? <small safe>{order.customer.email}</small> : null}
      </span>
    </div>
  </section>
)

const Payment = ({ order }: OfOrder) => {
  const captured = order.timeline.find(({ kind }) => kind === 'captured')
  const fee = Number(captured?.facts['fee'] ?? 0)
  if (order.captured === 0) return <></>
  return (
    <section class="section" aria-labelledby="payment">
      <h2 id="payment">Payment</h2>
      <dl class="facts">
        {order.card ? (
          <Fact name="Method">
            <span safe>{cardText(order.card)}</span>
          </Fact>
        ) : null}
        <Fact name="Captured">
          <span safe>{money(order.captured, order.currency)}</span>
        </Fact>
        {fee > 0 ? (
          <>
            <Fact name="Fee">
              <span safe>{money(fee, order.currency)}</span>
            </Fact>
            <Fact name="Net">
              <span safe>{money(order.captured - fee, order.currency)}</span>
            </Fact>
          </>
        ) : null}
      </dl>
    </section>
  )
}

const Details = ({ order }: OfOrder) => (
  <section class="section" aria-labelledby="details">
    <h2 id="details">Details</h2>
    <dl class="facts">
      <Fact name="Merchant">
        <span class="wrap-anywhere" safe>
          {order.merchant.name}
        </span>
      </Fact>
      {order.invoice ? (
        <Fact name="Invoice">
          <a class="link wrap-anywhere" href={`/pay/invoices/${order.invoice.id}`} safe>
            {numberText(order.invoice)}
          </a>
        </Fact>
      ) : null}
      {order.venue ? (
        <Fact name="Venue">
          <span class="wrap-anywhere" safe>
            {order.venue.name}
          </span>
        </Fact>
      ) : null}
      <Fact name="Created">
        <Time at={order.createdAt} />
      </Fact>
      {order.expiresAt ? (
        <Fact name="Expires">
          <Time at={order.expiresAt} />
        </Fact>
      ) : null}
      {order.paidAt ? (
        <Fact name="Paid">
          <Time at={order.paidAt} />
        </Fact>
      ) : null}
      <MetadataFacts metadata={order.metadata} id={order.id} />
    </dl>
  </section>
)
