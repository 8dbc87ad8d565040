import type { OrderDetails } from '#payments/types'
import { LineTable } from '../line-table.tsx'
import { money } from '../money.ts'

interface OfOrder {
  order: OrderDetails
}

export const OrderLines = ({ order }: OfOrder) => (
  <section class="section" aria-labelledby="lines">
    <h2 id="lines">Lines</h2>
    <div class="card">
      <LineTable
        caption="Lines of the order"
        heading="Item"
        lines={order.lines.map((line) => ({ ...line, amount: line.total }))}
        currency={order.currency}
      />
      <footer>
        <Totals order={order} />
      </footer>
    </div>
  </section>
)

const Totals = ({ order }: OfOrder) => {
  const { currency } = order
  const pending = order.refunds
    .filter(({ status }) => status === 'needs_approval' || status === 'pending' || status === 'unknown')
    .reduce((sum, { amount }) => sum + amount, 0)
  return (
    <dl class="facts push totals">
      <Total name="Subtotal" amount={money(order.subtotal, currency)} />
      {order.discount > 0 ? <Total name="Discount" amount={money(-order.discount, currency)} /> : null}
      {order.taxes.map(({ rate, amount }) => (
        <Total
          name={`Tax ${rate}%${order.taxMode === 'inclusive' ? ', included' : ''}`}
          amount={money(amount, currency)}
        />
      ))}
      <Total name="Total" amount={money(order.total, currency)} isSum />
      {order.authorized > 0 ? <Total name="Reserved" amount={money(order.authorized, currency)} /> : null}
      {order.captured > 0 ? <Total name="Paid" amount={money(order.captured, currency)} /> : null}
      {order.refunded > 0 ? <Total name="Refunded" amount={money(-order.refunded, currency)} /> : null}
      {pending > 0 ? <Total name="Refund pending" amount={money(-pending, currency)} /> : null}
    </dl>
  )
}

const Total = ({ name, amount, isSum }: { name: string; amount: string; isSum?: true }) => (
  <>
    <dt>{isSum ? <b safe>{name}</b> : <span safe>{name}</span>}</dt>
    <dd class="end">{isSum ? <b safe>{amount}</b> : <span safe>{amount}</span>}</dd>
  </>
)
