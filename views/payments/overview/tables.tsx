import type { PaymentsDashboard } from '#payments/types'
import { Empty } from '#views/ui/feedback.tsx'
import { StatusMark } from '#views/ui/marks.tsx'
import { money } from '../money.ts'
import { ordersPath } from '../orders/filters.tsx'
import { orderStates } from '../orders/words.ts'

interface OfDashboard {
  dashboard: PaymentsDashboard
}

export const Balances = ({ dashboard: { balances } }: OfDashboard) => (
  <section class="card" aria-labelledby="balances">
    <header>
      <h2 id="balances">Balances</h2>
      <a class="link small" href="/pay/transactions">
        Transactions
      </a>
    </header>
    {balances.length === 0 ? (
      <Empty icon="wallet" title="No balance yet" text="It appears with the first captured payment." small />
    ) : (
      <table class="table" data-list>
        <caption class="visually-hidden">Balances by merchant and currency</caption>
        <thead>
          <tr>
            <th scope="col">Merchant</th>
            <th scope="col" data-num>
              Balance
            </th>
            <th scope="col" data-num>
              Held
            </th>
          </tr>
        </thead>
        <tbody>
          {balances.map((balance) => (
            <tr>
              <td data-at="title" class="wrap-anywhere">
                <b safe>{balance.merchantName}</b> <small safe>{balance.currency}</small>
              </td>
              <td data-num data-at="end">
                <b safe>{money(balance.available, balance.currency)}</b>
              </td>
              <td data-num data-at="time">
                <span class="narrow-only">Held </span>
                <span safe>{money(balance.held, balance.currency)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
)

export const Recent = ({ dashboard: { recent } }: OfDashboard) => (
  <section class="card" aria-labelledby="recent">
    <header>
      <h2 id="recent">Recent orders</h2>
      <a class="link small" href={ordersPath}>
        All
      </a>
    </header>
    <ul class="list" data-links style="--pad: var(--space-4)">
      {recent.map((order) => (
        <li>
          <span class="grow">
            <a class="row-link" href={`${ordersPath}/${order.id}`} safe>
              {order.number}
            </a>
            <small class="wrap-anywhere" safe>
              {order.customer ?? 'Guest'}
            </small>
          </span>
          <StatusMark {...orderStates[order.status]} />
          <b class="nowrap" safe>
            {money(order.total, order.currency)}
          </b>
        </li>
      ))}
    </ul>
  </section>
)
