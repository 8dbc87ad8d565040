import type { ProviderCircuit, ProviderFailure, ProviderTelemetry } from '#gateway/types'
import { Empty } from '#views/ui/feedback.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { TimesIn, timeText, viewerZone } from '#views/ui/time.tsx'
import { BarChart, Legend } from '#views/ui/chart.tsx'
import { Circuits } from './circuits.tsx'
import { Failures, seconds } from './failures.tsx'
import { amount, dollars } from './money.ts'
import { Stat } from './spend-stats.tsx'
import { DataTable, number } from '#views/ui/data-table.tsx'

export interface TelemetryProps {
  /** Such as `2026-11-22` (UTC). */
  today: string
  /** Today and the day before, if they have calls. */
  days: ProviderTelemetry[]
  models: ProviderTelemetry[]
  hours: ProviderTelemetry[]
  circuits: ProviderCircuit[]
  failures: ProviderFailure[]
}

export const Telemetry = ({ today, days, models, hours, circuits, failures }: TelemetryProps) => (
  <>
    <PageHeader title="Telemetry">
      <TimesIn />
    </PageHeader>
    <div class="page stack" style="--measure: none">
      <TodayStats today={today} items={days} />
      <CallsPerHour items={hours} />
      <Circuits items={circuits} />
      <Failures items={failures} />
      <TelemetryByModel items={models} />
      <p class="small muted">Calls to providers since yesterday (UTC). Latency is the time until the whole response.</p>
    </div>
  </>
)

interface TodayStatsProps {
  today: string
  items: ProviderTelemetry[]
}

/** Today beside the day before; nothing without a call today. */
export const TodayStats = ({ today, items }: TodayStatsProps) => {
  const current = items.find(({ day }) => day === today)
  const before = items.find(({ day }) => day !== today) ?? null
  return current ? <DayStats today={current} yesterday={before} /> : <></>
}

interface DayStatsProps {
  today: ProviderTelemetry
  yesterday: ProviderTelemetry | null
}

const DayStats = ({ today, yesterday }: DayStatsProps) => (
  <section class="card" aria-label="Today (UTC)">
    <div class="body">
      <dl class="stats">
        <Stat name="Calls today" value={amount(today.calls)}>
          {yesterday ? <span safe>{`${amount(yesterday.calls)} yesterday`}</span> : <span>None yesterday</span>}
        </Stat>
        <Stat name="Median" value={seconds(today.latencyMs?.p50)}>
          {yesterday ? <span safe>{`${seconds(yesterday.latencyMs?.p50)} yesterday`}</span> : undefined}
        </Stat>
        <Stat name="p95" value={seconds(today.latencyMs?.p95)}>
          {yesterday ? <span safe>{`${seconds(yesterday.latencyMs?.p95)} yesterday`}</span> : undefined}
        </Stat>
        <Stat name="Failed" value={share(today.errors, today.calls)}>
          <span safe>{today.errors === 1 ? '1 call' : `${amount(today.errors)} calls`}</span>
        </Stat>
        <Stat name="Fell back" value={share(today.fallbacks, today.calls)}>
          <span safe>{today.fallbacks === 1 ? '1 call' : `${amount(today.fallbacks)} calls`}</span>
        </Stat>
      </dl>
    </div>
  </section>
)

interface ItemsProps {
  items: ProviderTelemetry[]
}

const hourMs = 60 * 60 * 1000
const maxHours = 48

/** Each hour from the first one with calls to the last, at least a day. */
function fillHours(items: ProviderTelemetry[]): { at: number; succeeded: number; failed: number }[] {
  const counts = new Map(items.flatMap((item) => (item.hour ? [[Date.parse(item.hour), item] as const] : [])))
  const last = Math.max(...counts.keys())
  const first = Math.max(Math.min(...counts.keys(), last - 23 * hourMs), last - (maxHours - 1) * hourMs)
  return Array.from({ length: Math.round((last - first) / hourMs) + 1 }, (_, index) => {
    const at = first + index * hourMs
    const { calls = 0, errors = 0 } = counts.get(at) ?? {}
    return { at, succeeded: Math.max(calls - errors, 0), failed: errors }
  })
}

const series = ['Succeeded', 'Failed']

/** Calls and failures of each hour. */
export const CallsPerHour = ({ items }: ItemsProps) => {
  const hours = items.length > 0 ? fillHours(items) : []
  const calls = items.reduce((sum, item) => sum + item.calls, 0)
  const errors = items.reduce((sum, item) => sum + item.errors, 0)
  return (
    <section class="card" id="calls-per-hour" aria-labelledby="calls-per-hour-title">
      <header>
        <h2 id="calls-per-hour-title">Calls per hour</h2>
        <small class="muted" safe>
          {`${amount(calls)} calls, ${share(errors, calls)} failed`}
        </small>
        <span class="push">
          <Legend names={series} />
        </span>
      </header>
      <div class="body">
        {hours.length > 0 ? (
          <BarChart
            label="Calls per hour"
            heading="Hour"
            columns={hours.map(({ at }) => timeText(new Date(at), viewerZone(), 'time'))}
            series={[
              { name: 'Succeeded', values: hours.map(({ succeeded }) => succeeded) },
              { name: 'Failed', values: hours.map(({ failed }) => failed) },
            ]}
            format={amount}
            formatTick={amount}
          />
        ) : (
          <Empty
            icon="radio"
            title="No calls to providers"
            text="Latency, failures and fallbacks of each model appear here with the first call."
            small
          />
        )}
      </div>
    </section>
  )
}

/** Latency, failures and fallbacks of each model. */
export const TelemetryByModel = ({ items }: ItemsProps) => (
  <section class="card" id="telemetry-by-model" aria-labelledby="telemetry-by-model-title">
    <header>
      <h2 id="telemetry-by-model-title">By model</h2>
    </header>
    {items.length > 0 ? (
      <DataTable
        caption="Telemetry by model"
        columns={[
          'Model',
          number('Calls'),
          number('Median'),
          number('p95'),
          number('First byte, p95'),
          number('Failed'),
          number('Fell back'),
          number('Cost'),
        ]}
      >
        <tbody>
          {items.map((item) => (
            <ModelRow item={item} />
          ))}
        </tbody>
      </DataTable>
    ) : (
      <p class="body muted">No calls in these days.</p>
    )}
  </section>
)

const nameOf = ({ model, provider, applicationId, status }: ProviderTelemetry): string =>
  model ?? provider ?? applicationId ?? status ?? 'Unknown'

const ModelRow = ({ item }: { item: ProviderTelemetry }) => (
  <tr>
    <td class="wrap-anywhere" data-at="title">
      <b safe>{nameOf(item)}</b>{' '}
      <small class="muted" safe>
        {item.provider ?? ''}
      </small>
    </td>
    <td data-num data-at="sub">
      <span class="narrow-only" safe>
        {`${amount(item.calls)} calls, ${share(item.errors, item.calls)} failed`}
      </span>
      <span class="wide-only" safe>
        {amount(item.calls)}
      </span>
    </td>
    <td data-num safe>
      {seconds(item.latencyMs?.p50)}
    </td>
    <td data-num data-at="end" safe>
      {seconds(item.latencyMs?.p95)}
    </td>
    <td data-num safe>
      {seconds(item.firstByteMs?.p95)}
    </td>
    <td data-num safe>
      {share(item.errors, item.calls)}
    </td>
    <td data-num safe>
      {share(item.fallbacks, item.calls)}
    </td>
    <td data-num data-at="time" safe>
      {dollars(item.costNanoUsd)}
    </td>
  </tr>
)

const share = (part: number, whole: number): string =>
  `${amount(whole > 0 ? Math.round((part / whole) * 1000) / 10 : 0)}%`
