import type { PaymentAnalytics } from '#payments/types'
import { BarChart, Legend, LineChart } from '#views/ui/chart.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { timeText } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { changeOf, rateText, Stat } from '../stat.tsx'
import { Buyers, TopCustomers, TopVenues } from './buyers.tsx'
import { Conversion } from './conversion.tsx'

interface OfAnalytics {
  analytics: PaymentAnalytics
}

export const AnalyticsView = ({ analytics }: OfAnalytics) => (
  <div id="analytics" class="stack">
    {isEmpty(analytics) ? (
      <Empty
        icon="activity"
        title="No payments in these days"
        text="Takings, conversion and customers appear here. Choose more days to see earlier ones."
      />
    ) : (
      <>
        <Stats analytics={analytics} />
        <Takings analytics={analytics} />
        <div class="pairs">
          <Conversion analytics={analytics} />
          <Buyers analytics={analytics} />
          <Hours analytics={analytics} />
          <Weekdays analytics={analytics} />
          <TopVenues analytics={analytics} />
          <TopCustomers analytics={analytics} />
        </div>
      </>
    )}
  </div>
)

const isEmpty = ({ totals, previous, outcomes }: PaymentAnalytics): boolean =>
  [totals, previous].every(({ payments, refunds, disputes }) => payments + refunds + disputes === 0) &&
  outcomes.succeeded + outcomes.declined + outcomes.open + outcomes.abandoned === 0

const Stats = ({ analytics: { totals, previous, currency } }: OfAnalytics) => (
  <section class="card" aria-label="Totals">
    <div class="body">
      <dl class="stats">
        <Stat
          name="Takings"
          value={money(totals.takings, currency)}
          note={changeOf(totals.takings, previous.takings)}
        />
        <Stat name="Payments" value={countOf(totals.payments)} note={changeOf(totals.payments, previous.payments)} />
        <Stat
          name="Average order"
          value={totals.averageOrder === null ? '–' : money(totals.averageOrder, currency)}
          note={changeOf(totals.averageOrder ?? 0, previous.averageOrder ?? 0)}
        />
        <Stat name="Conversion" value={rateText(totals.conversion)} note={beforeOf(previous.conversion)} />
        <Stat name="Refund rate" value={rateText(totals.refundRate)} note={beforeOf(previous.refundRate)} />
        <Stat name="Dispute rate" value={rateText(totals.disputeRate)} note={beforeOf(previous.disputeRate)} />
      </dl>
    </div>
  </section>
)

const countOf = (count: number): string => count.toLocaleString('en')

const beforeOf = (rate: number | null): string =>
  rate === null ? 'None in the days before' : `${rateText(rate)} in the days before`

const Takings = ({ analytics: { days, currency } }: OfAnalytics) => {
  const names = ['These days', 'Days before']
  return (
    <section class="card" aria-labelledby="takings">
      <header>
        <h2 id="takings">Takings per day</h2>
        <Legend names={names} isLine />
      </header>
      <div class="body">
        <LineChart
          label={`Takings per day in ${currency}, compared with the days before`}
          heading="Day"
          columns={days.map(({ day }) => timeText(`${day}T00:00:00Z`, 'UTC', 'day'))}
          series={[
            { name: 'These days', values: days.map(({ takings }) => takings) },
            { name: 'Days before', values: days.map(({ previous }) => previous) },
          ]}
          format={(units) => money(units, currency)}
          formatTick={(units) => money(units, currency)}
        />
      </div>
    </section>
  )
}

const Hours = ({ analytics: { hours, timeZone } }: OfAnalytics) => (
  <section class="card" aria-labelledby="hours">
    <header>
      <h2 id="hours">When orders are paid</h2>
      <small class="push" safe>
        {timeZone}
      </small>
    </header>
    <div class="body">
      <BarChart
        label="Paid orders by hour of the day"
        heading="Hour"
        columns={hours.map(({ hour }) => String(hour))}
        series={[{ name: 'Orders', values: hours.map(({ orders }) => orders) }]}
        format={countOf}
        formatTick={countOf}
      />
    </div>
  </section>
)

const weekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const Weekdays = ({ analytics: { weekdays, currency } }: OfAnalytics) => (
  <section class="card" aria-labelledby="weekdays">
    <header>
      <h2 id="weekdays">Takings by weekday</h2>
    </header>
    <div class="body">
      <BarChart
        label={`Takings by weekday in ${currency}`}
        heading="Weekday"
        columns={weekdayNames}
        series={[{ name: 'Takings', values: weekdays.map(({ takings }) => takings) }]}
        format={(units) => money(units, currency)}
        formatTick={(units) => money(units, currency)}
      />
    </div>
  </section>
)
