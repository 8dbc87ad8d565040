import { currentFormats } from '#lib/jsx/jsx-runtime.ts'
import { BarChart, Legend, LineChart } from '#views/ui/chart.tsx'
import { timeText } from '#views/ui/time.tsx'
import type { WidgetItem } from './types.ts'

type AppSeries = NonNullable<WidgetItem['payload']['series']>

/** More days are a line. */
const maxBars = 31
const week = 7

export const Series = ({ name, series }: { name: string; series: AppSeries }) => {
  const days = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].toSorted()
  const { language } = currentFormats()
  const names = series.map(({ label }) => label)
  const chart = {
    label: `${name}: ${names.join(', ')}`,
    heading: 'Day',
    columns: days.map((day) => timeText(`${day}T00:00:00Z`, 'UTC', 'day')),
    marks: days.map((day) => shortDay(day, days.length)),
    series: series.map(({ label, points }) => {
      const values = new Map(points.map(({ at, value }) => [at, Number(value)]))
      return { name: label, values: days.map((day) => values.get(day) ?? null) }
    }),
    format: (value: number) => value.toLocaleString(language),
    formatTick: (value: number) => value.toLocaleString(language, { notation: 'compact', maximumFractionDigits: 1 }),
  }
  return (
    <div class="stack">
      {days.length > maxBars ? <LineChart {...chart} /> : <BarChart {...chart} />}
      {names.length > 1 ? <Legend names={names} isLine={days.length > maxBars || undefined} /> : null}
    </div>
  )
}

/** `Sat` in a week, `21` in a month. */
const shortDay = (day: string, days: number): string =>
  days <= week ? (timeText(`${day}T00:00:00Z`, 'UTC', 'day').split(' ')[0] ?? '') : String(Number(day.slice(-2)))
