import type { Children } from '@kitajs/html'
import type { ReportDimension, UsageReport } from '#gateway/types'
import { Empty } from '#views/ui/feedback.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { addressOf, replacing } from '#views/ui/live.ts'
import { Legend, type ChartSeries } from '#views/ui/chart.tsx'
import { CostChart } from './chart.tsx'
import { amount, dollars, percent } from './money.ts'
import { certaintyNames, dayText, dimensions, familyNames } from './words.ts'
import { DataTable, number } from '#views/ui/data-table.tsx'

interface ReportProps {
  report: UsageReport
  query: ReportQuery
}

const operation = '/api/gateway/usage'

const parameters = [
  'groupBy',
  'from',
  'to',
  'applicationId',
  'apiKeyId',
  'userId',
  'family',
  'provider',
  'model',
  'unit',
  'organizationId',
] as const

/** What the operation was asked. */
export type ReportQuery = { readonly [Name in (typeof parameters)[number]]?: string }

/** The same address for the same query, whatever the order of its fields. */
export const reportAddress = (path: string, query: ReportQuery): string =>
  addressOf(path, Object.fromEntries(parameters.map((name) => [name, query[name]])))

/** The cost of each day and of each group. */
export const UsageReportCards = (props: ReportProps) => (
  <div class="stack" id="usage-report">
    <DaysCard {...props} />
    <GroupsCard {...props} />
  </div>
)

/** The dearest groups have a color of their own, the others share one. */
const maxColors = 4

function seriesOf({ groups, others, groupBy }: UsageReport): ChartSeries[] {
  const own = groups.slice(0, maxColors).map((group) => ({ name: nameOf(group, groupBy), values: group.costsNanoUsd }))
  const rest = [...groups.slice(maxColors), ...(others ? [others] : [])]
  if (rest.length === 0) return own
  const values = rest.reduce<number[]>(
    (sums, { costsNanoUsd }) => costsNanoUsd.map((cost, at) => (sums[at] ?? 0) + cost),
    [],
  )
  return [...own, { name: 'Others', values }]
}

const DaysCard = ({ report }: ReportProps) => {
  const series = seriesOf(report)
  const label = `Cost per day by ${dimensions[report.groupBy].of} in US dollars`
  return (
    <section class="card" aria-labelledby="cost-per-day">
      <header>
        <h2 id="cost-per-day">Cost per day</h2>
        {report.anomalies.slice(-2).map(({ day, costNanoUsd, expectedNanoUsd }) => (
          <Badge icon="triangle-alert" tone="warning" label={anomalyText(day, costNanoUsd, expectedNanoUsd)} />
        ))}
        <span class="push">
          <Legend names={series.map(({ name }) => name)} />
        </span>
      </header>
      <div class="body">
        {report.total.requests > 0 ? (
          <CostChart label={label} days={report.days} series={series} />
        ) : (
          <Empty
            icon="gauge"
            title="No usage in these days"
            text="What apps use through the gateway appears here within a second."
            small
          />
        )}
      </div>
    </section>
  )
}

const anomalyText = (day: string, cost: number, expected: number): string =>
  expected > 0
    ? `${dayText(day)}: ${amount(Math.round((cost / expected) * 10) / 10)} times a usual day`
    : `${dayText(day)}: unusual`

const GroupsCard = ({ report, query }: ReportProps) => {
  const { of, tab } = dimensions[report.groupBy]
  return (
    <section class="card" aria-labelledby="usage-groups">
      <header>
        <h2 id="usage-groups" safe>{`By ${of}`}</h2>
        <span class="push">
          <nav class="segments" aria-label="Group by">
            {Object.entries(dimensions).map(([dimension, { tab: label }]) => (
              <a
                href={reportAddress('', { ...query, groupBy: dimension })}
                {...replacing('#usage-report', reportAddress(operation, { ...query, groupBy: dimension }))}
                aria-current={dimension === report.groupBy ? 'true' : undefined}
                safe
              >
                {label}
              </a>
            ))}
          </nav>
        </span>
      </header>
      {report.groups.length > 0 ? (
        <DataTable
          caption={`Usage by ${of}, ${dayText(report.from)} to ${dayText(report.to)}`}
          columns={[tab, number('Requests'), number('Per request'), 'Share', 'Certainty', number('Cost')]}
        >
          <tbody>
            {report.groups.map((group, at) => (
              <GroupRow group={group} at={at} report={report} query={query} />
            ))}
            {report.others ? <OthersRow others={report.others} total={report.total.costNanoUsd} /> : null}
          </tbody>
          <tfoot>
            <tr>
              <td data-at="title">Total</td>
              <td data-num safe>
                {amount(report.total.requests)}
              </td>
              <td data-num safe>
                {dollars(perRequest(report.total))}
              </td>
              <td />
              <td />
              <td data-num data-at="end" safe>
                {dollars(report.total.costNanoUsd)}
              </td>
            </tr>
          </tfoot>
        </DataTable>
      ) : (
        <p class="body muted">Nothing was used in these days.</p>
      )}
    </section>
  )
}

type Group = UsageReport['groups'][number]

const GroupRow = ({ group, at, report, query }: { group: Group; at: number } & ReportProps) => {
  const name = nameOf(group, report.groupBy)
  const href = detailsHref(group, report, query)
  return (
    <tr>
      <td data-at="title">
        <span class="key wrap-anywhere" data-series={Math.min(at, maxColors) + 1}>
          {href ? (
            <a class="row-link" href={href} safe>
              {name}
            </a>
          ) : (
            <span safe>{name}</span>
          )}
        </span>
      </td>
      <Figures requests={group.requests} costNanoUsd={group.costNanoUsd} total={report.total.costNanoUsd}>
        <Certainty estimated={group.estimated} suspect={group.suspect} />
      </Figures>
    </tr>
  )
}

/** Filters by the group, and splits it further. Null where usage can’t be filtered by it. */
function detailsHref({ key }: Pick<Group, 'key'>, { groupBy, from, to }: UsageReport, query: ReportQuery) {
  const filter = filterNames[groupBy]
  if (key === null || filter === null) return null
  return reportAddress('/gateway/usage', {
    ...query,
    from,
    to,
    [filter]: key,
    groupBy: groupBy === 'model' ? 'application' : 'model',
  })
}

const filterNames = {
  family: 'family',
  application: 'applicationId',
  model: 'model',
  user: 'userId',
  apiKey: 'apiKeyId',
  brand: null,
  certainty: null,
} as const satisfies Record<ReportDimension, keyof ReportQuery | null>

const OthersRow = ({ others, total }: { others: NonNullable<UsageReport['others']>; total: number }) => (
  <tr>
    <td data-at="title">
      <span class="key" data-series={maxColors + 1}>
        <span safe>{`${amount(others.groups)} others`}</span>
      </span>
    </td>
    <Figures {...others} total={total} />
  </tr>
)

interface FiguresProps {
  requests: number
  costNanoUsd: number
  total: number
  children?: Children
}

const Figures = ({ requests, costNanoUsd, total, children }: FiguresProps) => (
  <>
    <td data-num safe>
      {amount(requests)}
    </td>
    <td data-num safe>
      {dollars(perRequest({ requests, costNanoUsd }))}
    </td>
    <td data-at="sub">
      <span
        class="meter"
        style={`--value: ${percent(costNanoUsd, total)}%`}
        role="img"
        aria-label={`${percent(costNanoUsd, total)}% of the cost`}
      />
    </td>
    <td>{children}</td>
    <td data-num data-at="end">
      <b safe>{dollars(costNanoUsd)}</b>
    </td>
  </>
)

const perRequest = ({ requests, costNanoUsd }: { requests: number; costNanoUsd: number }): number =>
  requests > 0 ? Math.round(costNanoUsd / requests) : 0

const Certainty = ({ estimated, suspect }: Pick<Group, 'estimated' | 'suspect'>) => {
  if (suspect > 0) return <CertaintyMark icon="triangle-alert" state="waiting" word={`${amount(suspect)} suspect`} />
  if (estimated > 0) return <CertaintyMark icon="circle-dashed" word={`${amount(estimated)} estimated`} />
  return <CertaintyMark icon="check" state="published" word="All exact" />
}

interface CertaintyMarkProps {
  icon: IconName
  state?: 'published' | 'waiting'
  word: string
}

export const CertaintyMark = ({ icon, state, word }: CertaintyMarkProps) => (
  <span class="status" data-state={state}>
    <Icon name={icon} />
    <span safe>{word}</span>
  </span>
)

function nameOf({ key, name }: Pick<Group, 'key' | 'name'>, groupBy: ReportDimension): string {
  if (name !== null) return name
  if (key === null) return dimensions[groupBy].none
  if (groupBy === 'family') return wordFor(familyNames, key)
  return groupBy === 'certainty' ? wordFor(certaintyNames, key) : key
}

const wordFor = (words: Record<string, string>, key: string): string => words[key] ?? key
