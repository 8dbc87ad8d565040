import type { ProviderTelemetry } from '#gateway/types'
import { Legend, LineChart } from '#views/ui/chart.tsx'
import { seconds } from '../failures.tsx'
import { dayText } from '../words.ts'

const series = ['Median', 'p95']
const dayMs = 24 * 60 * 60 * 1000

/** From the first day with calls to the last. */
function fillDays(items: ProviderTelemetry[]): { day: string; item?: ProviderTelemetry }[] {
  const known = new Map(items.flatMap((item) => (item.day ? [[item.day, item] as const] : [])))
  const days = [...known.keys()].map((day) => Date.parse(day))
  const [first, last] = [Math.min(...days), Math.max(...days)]
  return Array.from({ length: days.length > 0 ? (last - first) / dayMs + 1 : 0 }, (_, at) => {
    const day = new Date(first + at * dayMs).toISOString().slice(0, 10)
    return { day, item: known.get(day) }
  })
}

/** Time until the whole response, of each day. */
export const LatencyByDay = ({ items }: { items: ProviderTelemetry[] }) => {
  const days = fillDays(items.filter(({ latencyMs }) => latencyMs !== null))
  return (
    <section class="card" id="latency-by-day" aria-labelledby="latency-by-day-title">
      <header>
        <h2 id="latency-by-day-title">Latency</h2>
        <span class="push">
          <Legend names={series} isLine />
        </span>
      </header>
      <div class="body">
        {days.length > 0 ? (
          <LineChart
            label="Latency of each day in seconds"
            heading="Day"
            columns={days.map(({ day }) => dayText(day))}
            series={[
              { name: 'Median', values: days.map(({ item }) => item?.latencyMs?.p50 ?? null) },
              { name: 'p95', values: days.map(({ item }) => item?.latencyMs?.p95 ?? null) },
            ]}
            format={seconds}
            formatTick={seconds}
          />
        ) : (
          <p class="muted">No measured calls in these days.</p>
        )}
      </div>
    </section>
  )
}
