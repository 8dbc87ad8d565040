import type { PaymentsDashboard } from '#payments/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { BarChart } from '#views/ui/chart.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { addressOf, liveAt } from '#views/ui/live.ts'
import { Badge, StatusMark } from '#views/ui/marks.tsx'
import { Time, timeText } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { ordersPath, ordersTopic } from '../orders/filters.tsx'
import { orderStates } from '../orders/words.ts'

interface DashboardRange {
  from?: string
  to?: string
  currency?: string
}

export interface DashboardProps {
  dashboard: PaymentsDashboard
  query: DashboardRange
  organizationId: string | undefined
}

interface OfDashboard {
  dashboard: PaymentsDashboard
}

export const Dashboard = ({ dashboard, query, organizationId }: DashboardProps) => (
  <div
    id="dashboard"
    class="stack"
    {...liveAt(addressOf('/api/pay/dashboard', { ...query }), ordersTopic(organizationId))}
  >
    {dashboard.recent.length === 0 ? (
      <FirstSale dashboard={dashboard} />
    ) : (
      <>
        <Stats dashboard={dashboard} />
        <div class="split">
          <Takings dashboard={dashboard} />
          <Attention dashboard={dashboard} />
        </div>
        <div class="pairs">
          <Balances dashboard={dashboard} />
          <Recent dashboard={dashboard} />
        </div>
        <p class="small muted">Days are in UTC.</p>
      </>
    )}
  </div>
)

const FirstSale = ({ dashboard: { can } }: OfDashboard) => (
  <Empty
    icon="wallet"
    title="Nothing sold yet"
    text="Create your first order. Takings, refunds, fees and balances appear here as soon as it is paid."
  >
    {can.create ? (
      <ButtonLink label="New order" icon="plus" variant="primary" href={`${ordersPath}#new-order`} />
    ) : null}
  </Empty>
)

const Stats = ({ dashboard: { totals, previous, currency } }: OfDashboard) => (
  <section class="card" aria-label="Totals">
    <div class="body">
      <dl class="stats">
        <Stat
          name="Takings"
          value={money(totals.takings, currency)}
          note={changeOf(totals.takings, previous.takings)}
        />
        <Stat name="Refunds" value={money(totals.refunds, currency)} note={shareOf(totals.refunds, totals.takings)} />
        <Stat
          name="Disputes"
          value={money(totals.disputes, currency)}
          note={shareOf(totals.disputes, totals.takings)}
        />
        <Stat name="Fees" value={money(totals.fees, currency)} note={shareOf(totals.fees, totals.takings)} />
        <Stat name="Net" value={money(totals.net, currency)} note={`${money(previous.net, currency)} before`} />
        <Stat
          name="Paid orders"
          value={String(totals.paidOrders)}
          note={changeOf(totals.paidOrders, previous.paidOrders)}
        />
      </dl>
    </div>
  </section>
)

const Stat = ({ name, value, note }: { name: string; value: string; note: string }) => (
  <div class="stat">
    <dt safe>{name}</dt>
    <dd safe>{value}</dd>
    <dd safe>{note}</dd>
  </div>
)

function changeOf(now: number, before: number): string {
  if (before <= 0) return 'None in the days before'
  const percent = Math.round(((now - before) / before) * 100)
  return percent === 0 ? 'As in the days before' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)}% on the days before`
}

const shareOf = (part: number, whole: number): string =>
  whole > 0 ? `${Math.round((part / whole) * 1_000) / 10}% of takings` : 'No takings'

const Takings = ({ dashboard: { days, currency } }: OfDashboard) => (
  <section class="card" aria-labelledby="takings">
    <header>
      <h2 id="takings">Takings per day</h2>
    </header>
    <div class="body">
      <BarChart
        label={`Takings per day in ${currency}`}
        heading="Day"
        columns={days.map(({ day }) => timeText(`${day}T00:00:00Z`, 'UTC', 'day'))}
        series={[{ name: 'Takings', values: days.map(({ takings }) => takings) }]}
        format={(units) => money(units, currency)}
        formatTick={(units) => money(units, currency)}
      />
    </div>
  </section>
)

type Item = PaymentsDashboard['attention'][number]

const attentionWords: Record<Item['kind'], { icon: IconName; title: (amount: string) => string }> = {
  dispute: { icon: 'shield-alert', title: (amount) => `Respond to a dispute of ${amount}` },
  refund_approval: { icon: 'users', title: (amount) => `Approve a refund of ${amount}` },
  refund_unknown: { icon: 'circle-help', title: (amount) => `Refund of ${amount}: outcome unknown` },
  payment_unknown: { icon: 'circle-help', title: (amount) => `Payment of ${amount}: outcome unknown` },
}

const Attention = ({ dashboard: { attention } }: OfDashboard) => (
  <section class="card" aria-labelledby="attention">
    <header>
      <h2 id="attention">Needs attention</h2>
      <Badge label={attention.length} count />
    </header>
    {attention.length === 0 ? (
      <Empty
        icon="circle-check"
        title="Nothing to do"
        text="Disputes, refunds to approve and unknown outcomes appear here."
        small
      />
    ) : (
      <ul class="list" data-links style="--pad: var(--space-4)">
        {attention.map((item) => (
          <AttentionItem item={item} />
        ))}
      </ul>
    )}
  </section>
)

const AttentionItem = ({ item }: { item: Item }) => (
  <li>
    <Icon name={attentionWords[item.kind].icon} />
    <span class="grow">
      <a class="row-link" href={`${ordersPath}/${item.orderId}`} safe>
        {attentionWords[item.kind].title(money(item.amount, item.currency))}
      </a>
      <small class="wrap-anywhere">
        <span safe>{`Order ${item.orderNumber}`}</span>
        {item.at ? (
          <>
            {item.kind === 'dispute' ? ', due ' : ', next check '}
            <Time at={item.at} form="moment" />
          </>
        ) : null}
      </small>
    </span>
  </li>
)

const Balances = ({ dashboard: { balances } }: OfDashboard) => (
  <section class="card" aria-labelledby="balances">
    <header>
      <h2 id="balances">Balances</h2>
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

const Recent = ({ dashboard: { recent } }: OfDashboard) => (
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
