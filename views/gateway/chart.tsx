import { roundDollars, dollars } from './money.ts'
import { dayText } from './words.ts'

export interface ChartSeries {
  name: string
  /** In nano-USD, of each day. */
  values: number[]
}

interface ChartProps {
  label: string
  /** UTC. */
  days: string[]
  series: ChartSeries[]
}

const gap = 0.18

/** Stacked bars, one a day. The SVG stretches, its words are HTML, and a table has the figures. */
export const CostChart = ({ label, days, series }: ChartProps) => {
  const sums = days.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))
  const scale = scaleFor(Math.max(...sums, 0))
  const height = (value: number) => round((value / scale.top) * 100)
  const every = Math.ceil(days.length / 12)
  return (
    <figure class="chart">
      <ol class="y" aria-hidden="true">
        {scale.ticks.map((tick) => (
          <li safe>{roundDollars(tick)}</li>
        ))}
      </ol>
      <svg viewBox={`0 0 ${days.length} 100`} preserveAspectRatio="none" role="img" aria-label={label}>
        {scale.ticks.map((tick) => (
          <line
            class="gridline"
            x1="0"
            x2={String(days.length)}
            y1={String(100 - height(tick))}
            y2={String(100 - height(tick))}
          />
        ))}
        {days.map((day, at) => (
          <Bar at={at} values={series.map(({ values }) => height(values[at] ?? 0))}>
            {describeDay(day, at, series)}
          </Bar>
        ))}
      </svg>
      <ol class="x" aria-hidden="true">
        {days.map((day, at) => (
          <li safe>{at % every === 0 ? dayText(day) : ''}</li>
        ))}
      </ol>
      <details>
        <summary>Show as table</summary>
        <div class="scroll-x" tabindex="0" role="region" aria-label={label}>
          <table class="table">
            <caption class="visually-hidden" safe>
              {label}
            </caption>
            <thead>
              <tr>
                <th scope="col">Day</th>
                {series.map(({ name }) => (
                  <th scope="col" data-num safe>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((day, at) => (
                <tr>
                  <th scope="row" safe>
                    {dayText(day)}
                  </th>
                  {series.map(({ values }) => (
                    <td data-num safe>
                      {dollars(values[at] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

const Bar = ({ at, values, children }: { at: number; values: number[]; children: string }) => {
  let top = 100
  return (
    <g>
      <title safe>{children}</title>
      <rect class="hit" x={String(at)} width="1" y="0" height="100" />
      {values.map((value, index) => {
        top -= value
        return value > 0 ? (
          <rect
            class="bar"
            data-series={index + 1}
            x={String(round(at + gap))}
            width={String(round(1 - 2 * gap))}
            y={String(round(top))}
            height={String(value)}
          />
        ) : null
      })}
    </g>
  )
}

const describeDay = (day: string, at: number, series: ChartSeries[]): string =>
  `${dayText(day)}: ${series.map(({ name, values }) => `${name} ${dollars(values[at] ?? 0)}`).join(', ')}`

const round = (value: number): number => Math.round(value * 100) / 100

/** Four to six steps of 1, 2 or 5 times a power of ten, the lowest first. */
function scaleFor(highest: number): { top: number; ticks: number[] } {
  if (!(highest > 0)) return { top: 1, ticks: [0] }
  const rough = highest / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const count = Math.ceil(highest / step)
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, at) => Math.round(at * step)) }
}

/** Names the colors of a chart. */
export const Legend = ({ names }: { names: string[] }) => (
  <ul class="legend">
    {names.map((name, at) => (
      <li data-series={at + 1} safe>
        {name}
      </li>
    ))}
  </ul>
)
