import type { PaymentAnalytics } from '#payments/types'
import { Empty } from '#views/ui/feedback.tsx'
import { money } from '../money.ts'

interface OfAnalytics {
  analytics: PaymentAnalytics
}

export const Buyers = ({ analytics: { buyers, currency } }: OfAnalytics) => {
  const rows = [
    { name: 'New customers', ...buyers.new },
    { name: 'Returning customers', ...buyers.returning },
    { name: 'Guests', customers: null, ...buyers.guests },
  ]
  return (
    <section class="card" aria-labelledby="buyers">
      <header>
        <h2 id="buyers">New and returning customers</h2>
      </header>
      <table class="table" data-list>
        <caption class="visually-hidden">Paid orders of new and returning customers</caption>
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col" data-num>
              Customers
            </th>
            <th scope="col" data-num>
              Orders
            </th>
            <th scope="col" data-num>
              Takings
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, customers, orders, takings }) => (
            <tr>
              <th scope="row" data-at="title" safe>
                {name}
              </th>
              <td data-num data-at="sub" safe>
                {customers === null ? '–' : customers.toLocaleString('en')}
              </td>
              <td data-num data-at="time">
                <span safe>{orders.toLocaleString('en')}</span>
                <span class="narrow-only"> paid</span>
              </td>
              <td data-num data-at="end">
                <b safe>{money(takings, currency)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export const TopVenues = ({ analytics: { topVenues, currency } }: OfAnalytics) => (
  <Ranking
    id="top-venues"
    title="Top venues"
    noun="payment"
    none="Takings of venues appear here once orders name them."
    rows={topVenues.map(({ name, payments, takings }) => ({
      name: name ?? 'Deleted venue',
      count: payments,
      amount: money(takings, currency),
    }))}
  />
)

/** Nothing for people who can’t read customers. */
export const TopCustomers = ({ analytics: { topCustomers, currency } }: OfAnalytics) =>
  topCustomers ? (
    <Ranking
      id="top-customers"
      title="Top customers"
      noun="order"
      none="Takings of customers appear here once orders name them."
      rows={topCustomers.map(({ id, name, orders, takings }) => ({
        name: name ?? 'Erased customer',
        href: `/pay/customers/${id}`,
        count: orders,
        amount: money(takings, currency),
      }))}
    />
  ) : (
    <></>
  )

interface RankingProps {
  id: string
  title: string
  /** Of what is counted, in the singular. */
  noun: string
  none: string
  rows: { name: string; href?: string; count: number; amount: string }[]
}

const Ranking = ({ id, title, noun, none, rows }: RankingProps) => (
  <section class="card" aria-labelledby={id}>
    <header>
      <h2 id={id} safe>
        {title}
      </h2>
    </header>
    {rows.length === 0 ? (
      <Empty icon="chart-column" title="None on these days" text={none} small />
    ) : (
      <ul class="list" data-links style="--pad: var(--space-4)">
        {rows.map(({ name, href, count, amount }) => (
          <li>
            <span class="grow">
              {href ? (
                <a class="row-link wrap-anywhere" href={href} safe>
                  {name}
                </a>
              ) : (
                <span class="wrap-anywhere" safe>
                  {name}
                </span>
              )}
              <small safe>{`${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`}</small>
            </span>
            <b class="nowrap" safe>
              {amount}
            </b>
          </li>
        ))}
      </ul>
    )}
  </section>
)
