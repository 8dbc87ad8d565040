import type { UsageRecord } from '#gateway/types'
import { MoreRows } from '#views/ui/lists.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { CertaintyMark, reportAddress, type ReportQuery } from './usage-report.tsx'
import { amount, dollars } from './money.ts'
import { certaintyNames } from './words.ts'
import { DataTable, number } from '#views/ui/data-table.tsx'

interface LatestCallsProps {
  records: UsageRecord[]
  nextCursor: string | null
  query: ReportQuery & { limit?: number; cursor?: string }
}

/** Single requests, the newest first. */
export const LatestCalls = ({ records, nextCursor, query }: LatestCallsProps) => (
  <section class="card" id="latest-calls" aria-labelledby="latest-calls-title">
    <header>
      <h2 id="latest-calls-title">Latest requests</h2>
    </header>
    {records.length > 0 ? (
      <DataTable
        caption="Latest requests"
        columns={[
          `Time (${viewerZoneName()})`,
          'App and person',
          'Model',
          number('Quantity'),
          'Certainty',
          number('Cost'),
        ]}
      >
        <tbody>
          {records.map((record) => (
            <RecordRow record={record} />
          ))}
        </tbody>
        {nextCursor === null ? null : <More shown={records.length} nextCursor={nextCursor} query={query} />}
      </DataTable>
    ) : (
      <p class="body muted">No requests in these days. Single requests are kept for some weeks, daily totals stay.</p>
    )}
  </section>
)

const RecordRow = ({ record }: { record: UsageRecord }) => (
  <tr>
    <td class="nowrap" data-at="time">
      <Time at={record.occurredAt} form="moment" />
    </td>
    <td class="wrap-anywhere" data-at="title">
      <b safe>{record.applicationName ?? record.applicationId ?? 'No app'}</b>{' '}
      <small class="muted" safe>
        {record.userName ?? record.userId ?? record.apiKeyName ?? ''}
      </small>
    </td>
    <td class="wrap-anywhere">
      <code safe>{record.model ?? record.provider}</code>
    </td>
    <td data-num safe>
      {`${amount(record.quantity)} ${record.quantity === 1 ? record.unit : `${record.unit}s`}`}
    </td>
    <td data-at="sub">
      <RecordCertainty certainty={record.certainty} />
    </td>
    <td data-num data-at="end" safe>
      {dollars(record.costNanoUsd)}
    </td>
  </tr>
)

const looks = {
  exact: { icon: 'check', state: 'published' },
  estimated: { icon: 'circle-dashed', state: undefined },
  suspect: { icon: 'triangle-alert', state: 'waiting' },
} as const

const RecordCertainty = ({ certainty }: Pick<UsageRecord, 'certainty'>) => (
  <CertaintyMark {...looks[certainty]} word={certaintyNames[certainty]} />
)

interface MoreProps {
  shown: number
  nextCursor: string
  query: LatestCallsProps['query']
}

const More = ({ shown, nextCursor, query }: MoreProps) => {
  const page = reportAddress('/gateway/usage', query)
  const next = reportAddress('/api/usage', query)
  const withCursor = (address: string) =>
    `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ cursor: nextCursor })}`
  return (
    <MoreRows
      label="More requests"
      summary={`${shown} shown`}
      next={withCursor(page)}
      from={`${withCursor(next)}&limit=${query.limit ?? shown}`}
      columns={6}
    />
  )
}
