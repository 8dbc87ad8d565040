import type { ProviderCircuit, ProviderFailure, ProviderTelemetry } from '#gateway/types'
import { Empty } from '#views/ui/feedback.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { TimesIn, timeText, viewerZone } from '#views/ui/time.tsx'
import { BarChart, Legend } from './chart.tsx'
import { Circuits } from './circuits.tsx'
import { Failures, seconds } from './failures.tsx'
import { amount, dollars } from './money.ts'

export interface TelemetryProps {
  models: ProviderTelemetry[]
  hours: ProviderTelemetry[]
  circuits: ProviderCircuit[]
  failures: ProviderFailure[]
}

export const Telemetry = ({ models, hours, circuits, failures }: TelemetryProps) => (
  <>
    <PageHeader title="Telemetry">
      <TimesIn />
    </PageHeader>
    <div class="page stack" style="--measure: none">
      <CallsPerHour items={hours} />
      <Circuits items={circuits} />
      <Failures items={failures} />
      <TelemetryByModel items={models} />
      <p class="small muted">Calls to providers since yesterday (UTC). Latency is the time until the whole response.</p>
    </div>
  </>
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
      <table class="table" data-list>
        <caption class="visually-hidden">Telemetry by model</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col" data-num>
              Calls
            </th>
            <th scope="col" data-num>
              Median
            </th>
            <th scope="col" data-num>
              p95
            </th>
            <th scope="col" data-num>
              First byte, p95
            </th>
            <th scope="col" data-num>
              Failed
            </th>
            <th scope="col" data-num>
              Fell back
            </th>
            <th scope="col" data-num>
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <ModelRow item={item} />
          ))}
        </tbody>
      </table>
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
