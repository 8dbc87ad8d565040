import { BarChart, type ChartSeries } from '#views/ui/chart.tsx'
import { dollars, roundDollars } from './money.ts'
import { dayText } from './words.ts'

interface CostChartProps {
  label: string
  /** UTC. */
  days: string[]
  series: ChartSeries[]
}

/** Of nano-USD a day. */
export const CostChart = ({ label, days, series }: CostChartProps) => (
  <BarChart
    label={label}
    heading="Day"
    columns={days.map(dayText)}
    series={series}
    format={dollars}
    formatTick={roundDollars}
  />
)
