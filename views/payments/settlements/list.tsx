import type { BatchStatus, Settlement, SettlementFilter, SettlementList } from '#payments/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { DataTable, number } from '#views/ui/data-table.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Badge, StatusMark } from '#views/ui/marks.tsx'
import { Time, viewerZone, viewerZoneName } from '#views/ui/time.tsx'
import { countText } from '../count.ts'
import { More } from '../filters.tsx'
import { money } from '../money.ts'
import { NoRows } from '../no-rows.tsx'
import { Strip } from './progress.tsx'
import { batchStates, failureTexts, progressText } from './words.ts'

export interface SettlementListProps {
  list: SettlementList
  query: SettlementFilter
  organizationId: string | undefined
}

export const settlementsPath = '/pay/settlements'
export const settlementsRoute = '/api/settlements'
export const settlementsTopic = (organizationId: string | undefined): string => `settlements:${organizationId ?? ''}`

type SettlementsFilter = Partial<Omit<SettlementFilter, 'limit' | 'cursor'>>

export const settlementsHref = ({ q, currency, from, to, timeZone }: SettlementsFilter, status?: BatchStatus): string =>
  listHref(settlementsPath, { status, q, currency, from, to, timeZone })

export const isNarrowed = ({ q, currency, from, to }: SettlementsFilter): boolean =>
  Boolean(q ?? currency ?? from ?? to)

const batchHref = ({ batchId }: Pick<Settlement, 'batchId'>): string =>
  `${settlementsPath}/${encodeURIComponent(batchId)}`

export const SettlementTable = ({ list, query, organizationId }: SettlementListProps) => (
  <div id="settlements" class="stack" {...liveAt(listHref(settlementsRoute, query), settlementsTopic(organizationId))}>
    <Tabs list={list} query={query} />
    {list.items
      .filter(({ status }) => status === 'needs_approval')
      .map((batch) => (
        <WaitingCard batch={batch} />
      ))}
    {list.items.length > 0 ? <Rows list={list} query={query} /> : <NoBatches query={query} />}
  </div>
)

type ListProps = Omit<SettlementListProps, 'organizationId'>

const order: readonly BatchStatus[] = [
  'needs_approval',
  'accepted',
  'processing',
  'completed',
  'partially_failed',
  'failed',
]

const Tabs = ({ list: { counts }, query }: ListProps) => {
  const { status: chosen } = query
  const countOf = (status: BatchStatus): number => counts.find((each) => each.status === status)?.count ?? 0
  return (
    <nav class="tabs" aria-label="Status">
      <a href={settlementsHref(query)} aria-current={chosen ? undefined : 'page'}>
        All
        <Badge label={countText(counts.reduce((sum, { count }) => sum + count, 0))} count />
      </a>
      {order.map((status) => (
        <a href={settlementsHref(query, status)} aria-current={chosen === status ? 'page' : undefined}>
          <span safe>{batchStates[status].word}</span>
          <Badge label={countText(countOf(status))} tone={countOf(status) > 0 ? tones[status] : undefined} count />
        </a>
      ))}
    </nav>
  )
}

const tones: Partial<Record<BatchStatus, 'warning' | 'danger'>> = {
  needs_approval: 'warning',
  partially_failed: 'warning',
  failed: 'danger',
}

const WaitingCard = ({ batch }: { batch: Settlement }) => (
  <section class="card" aria-labelledby={`waiting-${batch.id}`}>
    <header>
      <h2 id={`waiting-${batch.id}`} class="wrap-anywhere" safe>
        {`Batch ${batch.batchId} pays out ${money(batch.controlSum, batch.currency)}`}
      </h2>
      <span class="push">
        <StatusMark {...batchStates.needs_approval} />
      </span>
    </header>
    <footer>
      <small class="grow" safe>
        {[
          `${batch.itemCount.toLocaleString('en')} ${batch.itemCount === 1 ? 'item' : 'items'}.`,
          batch.ceiling === null
            ? ''
            : `More than ${money(batch.ceiling, batch.currency)} of one requester within 24 hours needs a second person.`,
        ].join(' ')}
      </small>
      <ButtonLink label="Review" aria-label={`Review ${batch.batchId}`} variant="primary" href={batchHref(batch)} />
    </footer>
  </section>
)

const Rows = ({ list, query }: ListProps) => (
  <div class="bleed">
    <DataTable
      name="batches"
      caption={`Settlement batches, newest first, times in ${viewerZone()}`}
      columns={[number('Total'), 'Status', 'Batch', 'Items', number(`Received (${viewerZoneName()})`)]}
    >
      <tbody>
        {list.items.map((batch) => (
          <Row batch={batch} />
        ))}
      </tbody>
    </DataTable>
    <More
      noun="batches"
      shown={list.items.length}
      nextCursor={list.nextCursor}
      query={query}
      page={settlementsPath}
      from={settlementsRoute}
      target="#settlements"
    />
  </div>
)

const Row = ({ batch }: { batch: Settlement }) => (
  <tr id={`batch-${batch.id}`}>
    <td data-num data-at="end">
      <b safe>{money(batch.controlSum, batch.currency)}</b>
    </td>
    <td data-at="sub">
      <StatusMark {...batchStates[batch.status]} />
      <small safe>{whyText(batch)}</small>
    </td>
    <td data-at="title" class="wrap-anywhere">
      <a class="row-link" href={batchHref(batch)} safe>
        {batch.batchId}
      </a>
    </td>
    <td>
      <span class="row">
        <Strip batch={batch} />
        <span class="nowrap" safe>
          {progressText(batch)}
        </span>
      </span>
    </td>
    <td data-num data-at="time">
      <Time at={batch.createdAt} form="moment" />
    </td>
  </tr>
)

function whyText({ failure, missingAmount, currency, totals }: Settlement): string {
  if (failure === 'balance_short' && missingAmount !== null)
    return `The balance was ${money(missingAmount, currency)} short. Nothing was paid.`
  if (failure) return failureTexts[failure]
  const open = [
    [totals.unknown, 'unknown'],
    [totals.failed, 'failed'],
    [totals.returned, 'returned'],
  ] as const
  return open
    .filter(([{ items }]) => items > 0)
    .map(([{ items, amount }, word]) => `${items} ${word}, ${money(amount, currency)}`)
    .join('; ')
}

const NoBatches = ({ query }: Pick<ListProps, 'query'>) => (
  <NoRows
    noun="batches"
    isNarrowed={isNarrowed(query) || query.cursor !== undefined}
    clear={settlementsHref({}, query.status)}
    all={settlementsPath}
    status={query.status && batchStates[query.status]}
  >
    <Empty
      icon="landmark"
      title="No settlements yet"
      text="Programs send batches of payouts here. Each item is paid once, followed until it has arrived, and reported back with signed callbacks."
    />
  </NoRows>
)
