import type { OrderDetails, OrderLine } from '#payments/types'
import { money } from '../money.ts'

interface OfOrder {
  order: OrderDetails
}

export const OrderLines = ({ order }: OfOrder) => (
  <section class="section" aria-labelledby="lines">
    <h2 id="lines">Lines</h2>
    <div class="card">
      <table class="table" data-list>
        <caption class="visually-hidden">Lines of the order</caption>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" data-num>
              Quantity
            </th>
            <th scope="col" data-num>
              Price
            </th>
            <th scope="col" data-num>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <Line line={line} currency={order.currency} />
          ))}
        </tbody>
      </table>
      <footer>
        <Totals order={order} />
      </footer>
    </div>
  </section>
)

const Line = ({ line, currency }: { line: OrderLine; currency: string }) => (
  <tr>
    <td data-at="title" class="wrap-anywhere">
      <span safe>{line.name}</span>
      {line.discount > 0 ? <small class="muted" safe>{` ${money(line.discount, currency)} off`}</small> : null}
    </td>
    <td data-num data-at="sub">
      <span class="narrow-only" safe>{`${line.quantity} × ${money(line.unitAmount, currency)}`}</span>
      <span class="wide-only">{line.quantity}</span>
    </td>
    <td data-num safe>
      {money(line.unitAmount, currency)}
    </td>
    <td data-num data-at="end" safe>
      {money(line.total, currency)}
    </td>
  </tr>
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
