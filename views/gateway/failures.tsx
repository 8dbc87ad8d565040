import type { ProviderFailure } from '#gateway/types'
import { StatusMark } from '#views/ui/marks.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { amount } from './money.ts'
import { DataTable, number } from '#views/ui/data-table.tsx'

interface FailuresProps {
  items: ProviderFailure[]
}

/** Attempts that failed, and requests that another model answered. */
export const Failures = ({ items }: FailuresProps) => (
  <section class="card" id="failures" aria-labelledby="failures-title">
    <header>
      <h2 id="failures-title">Recent fallbacks and failures</h2>
    </header>
    {items.length > 0 ? (
      <DataTable
        caption="Recent fallbacks and failures"
        columns={[`Time (${viewerZoneName()})`, 'App', 'Model', 'Result', number('Duration')]}
      >
        <tbody>
          {items.map((item) => (
            <FailureRow item={item} />
          ))}
        </tbody>
      </DataTable>
    ) : (
      <p class="body muted">No call to a provider failed in the last 24 hours.</p>
    )}
  </section>
)

const hasFailed = ({ errorCode, status }: ProviderFailure): boolean => errorCode !== null || (status ?? 0) >= 400

const FailureRow = ({ item }: { item: ProviderFailure }) => (
  <tr>
    <td class="nowrap" data-at="time">
      <Time at={item.occurredAt} form="moment" />
    </td>
    <td class="wrap-anywhere" data-at="title">
      <b safe>{item.applicationName ?? item.applicationId ?? 'No app'}</b>
    </td>
    <td class="wrap-anywhere">
      <code safe>{item.model ?? item.provider}</code>
    </td>
    <td data-at="sub">
      {hasFailed(item) ? (
        <StatusMark
          state="failed"
          icon="circle-alert"
          word={[item.status, item.errorCode].filter((part) => part !== null).join(' ')}
        />
      ) : (
        <StatusMark
          state="published"
          icon="circle-check"
          word={`Answered after ${amount(item.fallbacks)} ${item.fallbacks === 1 ? 'fallback' : 'fallbacks'}`}
        />
      )}
    </td>
    <td data-num data-at="end" safe>
      {seconds(item.latencyMs ?? undefined)}
    </td>
  </tr>
)

/** `1.9 s`, below a second `420 ms`. */
export function seconds(ms: number | undefined): string {
  if (ms === undefined) return '–'
  return ms < 1000 ? `${amount(Math.round(ms))} ms` : `${amount(Math.round(ms / 100) / 10)} s`
}
