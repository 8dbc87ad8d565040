import type { PaymentsDashboard } from '#payments/types'
import { BarChart, Legend } from '#views/ui/chart.tsx'
import { timeText } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { changeOf, Stat } from '../stat.tsx'

interface OfDashboard {
  dashboard: PaymentsDashboard
}

export const Stats = ({ dashboard: { totals, previous, currency } }: OfDashboard) => (
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

const shareOf = (part: number, whole: number): string =>
  whole > 0 ? `${Math.round((part / whole) * 1_000) / 10}% of takings` : 'No takings'

const maxVenues = 4

/** By venue, when there are several: those with the most takings, and the rest together. */
function seriesOf({ days, venues }: PaymentsDashboard): { name: string; values: number[] }[] {
  if (venues.length < 2) return [{ name: 'Takings', values: days.map(({ takings }) => takings) }]
  const named = venues.filter(({ id }) => id !== null).slice(0, maxVenues)
  const rest = venues.filter((venue) => !named.includes(venue))
  return [
    ...named.map(({ name, takings }) => ({ name: name ?? '', values: takings })),
    ...(rest.length > 0
      ? [
          {
            name: rest.every(({ id }) => id === null) ? 'Without a venue' : 'Others',
            values: days.map((_, at) => rest.reduce((sum, { takings }) => sum + (takings[at] ?? 0), 0)),
          },
        ]
      : []),
  ]
}

export const Takings = ({ dashboard }: OfDashboard) => {
  const { days, currency } = dashboard
  const series = seriesOf(dashboard)
  return (
    <section class="card" aria-labelledby="takings">
      <header>
        <h2 id="takings">Takings per day</h2>
        {series.length > 1 ? <Legend names={series.map(({ name }) => name)} /> : null}
      </header>
      <div class="body">
        <BarChart
          label={`Takings per day${series.length > 1 ? ' and venue' : ''} in ${currency}`}
          heading="Day"
          columns={days.map(({ day }) => timeText(`${day}T00:00:00Z`, 'UTC', 'day'))}
          series={series}
          format={(units) => money(units, currency)}
          formatTick={(units) => money(units, currency)}
        />
      </div>
    </section>
  )
}
