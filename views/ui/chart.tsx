import type { Children } from '@kitajs/html'

export interface ChartSeries {
  name: string
  /** Of each column; null where nothing was measured, which interrupts a line. */
  values: (number | null)[]
}

interface ChartProps {
  label: string
  /** Of the columns' names. */
  heading: string
  columns: string[]
  /** Shorter names of the columns, below the chart. */
  marks?: string[]
  series: ChartSeries[]
  format(value: number): string
  formatTick(value: number): string
}

const gap = 0.18

/** Stacked bars. */
export const BarChart = (props: ChartProps) => {
  const { columns, series, format } = props
  const sums = columns.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))
  const scale = scaleFor(Math.max(...sums, 0), sums.every(Number.isInteger))
  return (
    <ChartFrame {...props} scale={scale}>
      {columns.map((column, at) => (
        <Bar
          at={at}
          title={describeColumn(column, at, series, format)}
          values={series.map(({ values }) => heightIn(scale, values[at] ?? 0))}
        />
      ))}
    </ChartFrame>
  )
}

export const LineChart = (props: ChartProps) => {
  const { columns, series, format } = props
  const measured = series.flatMap(({ values }) => values.map((value) => value ?? 0))
  const scale = scaleFor(Math.max(...measured, 0), measured.every(Number.isInteger))
  return (
    <ChartFrame {...props} scale={scale}>
      {columns.map((column, at) => (
        <Bar at={at} title={describeColumn(column, at, series, format)} values={[]} />
      ))}
      {series.map(({ values }, at) => (
        <path class="line" data-series={at + 1} d={lineOf(values.map((value) => value && heightIn(scale, value)))} />
      ))}
    </ChartFrame>
  )
}

/** Between the middles of the columns; a lone value is a short dash. */
const lineOf = (heights: (number | null)[]): string =>
  heights
    .map((height, at) => {
      if (height === null) return ''
      const y = round(100 - height)
      const isAlone = heights[at - 1] == null && heights[at + 1] == null
      if (isAlone) return `M${at + 0.3} ${y}L${at + 0.7} ${y}`
      return `${heights[at - 1] == null ? 'M' : 'L'}${at + 0.5} ${y}`
    })
    .join('')

interface Scale {
  top: number
  ticks: number[]
}

const heightIn = (scale: Scale, value: number): number => round((value / scale.top) * 100)

/** The SVG stretches, its words are HTML, and a table has the figures. */
const ChartFrame = ({
  label,
  heading,
  columns,
  marks = columns,
  series,
  format,
  formatTick,
  scale,
  children,
}: ChartProps & { scale: Scale; children: Children }) => {
  const every = Math.ceil(columns.length / 12)
  const shownColumns = marks.map((mark, at) => (at % every === 0 ? mark : ''))
  return (
    <figure class="chart">
      <ol class="y" aria-hidden="true">
        {scale.ticks.map((tick) => (
          <li safe>{formatTick(tick)}</li>
        ))}
      </ol>
      <svg viewBox={`0 0 ${columns.length} 100`} preserveAspectRatio="none" role="img" aria-label={label}>
        {scale.ticks.map((tick) => (
          <line
            class="gridline"
            x1="0"
            x2={String(columns.length)}
            y1={String(100 - heightIn(scale, tick))}
            y2={String(100 - heightIn(scale, tick))}
          />
        ))}
        {children}
      </svg>
      <ol class="x" aria-hidden="true">
        {shownColumns.map((column) => (
          <li safe>{column}</li>
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
                <th scope="col" safe>
                  {heading}
                </th>
                {series.map(({ name }) => (
                  <th scope="col" data-num safe>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {columns.map((column, at) => (
                <tr>
                  <th scope="row" safe>
                    {column}
                  </th>
                  {series.map(({ values }) => (
                    <td data-num safe>
                      {cellOf(values[at] ?? null, format)}
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

const Bar = ({ at, title, values }: { at: number; title: string; values: number[] }) => (
  <g>
    <title safe>{title}</title>
    <rect class="hit" x={String(at)} width="1" y="0" height="100" />
    {stack(values).map(({ top, height, index }) => (
      <rect
        class="bar"
        data-series={index + 1}
        x={String(round(at + gap))}
        width={String(round(1 - 2 * gap))}
        y={String(round(top))}
        height={String(height)}
      />
    ))}
  </g>
)

/** From the bottom up, without empty ones. */
function stack(values: number[]): { top: number; height: number; index: number }[] {
  let top = 100
  return values.flatMap((height, index) => (height > 0 ? [{ top: (top -= height), height, index }] : []))
}

const describeColumn = (column: string, at: number, series: ChartSeries[], format: (value: number) => string): string =>
  `${column}: ${series.map(({ name, values }) => `${name} ${cellOf(values[at] ?? null, format)}`).join(', ')}`

const cellOf = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value)

const round = (value: number): number => Math.round(value * 100) / 100

/** Four to six steps of 1, 2 or 5 times a power of ten, the lowest first; fewer of what is counted one by one. */
function scaleFor(highest: number, isWhole: boolean): Scale {
  if (!(highest > 0)) return { top: 1, ticks: [0] }
  const rough = highest / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const fraction = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const step = isWhole ? Math.max(1, fraction) : fraction
  const count = Math.ceil(highest / step)
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12))) }
}

/** Names the colors of a chart. */
export const Legend = ({ names, isLine }: { names: string[]; isLine?: true }) => (
  <ul class="legend">
    {names.map((name, at) => (
      <li data-series={at + 1} data-line={isLine} safe>
        {name}
      </li>
    ))}
  </ul>
)
