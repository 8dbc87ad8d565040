import type { SettlementItem, SettlementItemFilter, SettlementItemList } from '#payments/types'
import { DataTable, number } from '#views/ui/data-table.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { StatusMark } from '#views/ui/marks.tsx'
import { Time, viewerZone, viewerZoneName } from '#views/ui/time.tsx'
import { More } from '../filters.tsx'
import { money } from '../money.ts'
import { settlementsPath, settlementsRoute, settlementsTopic } from './list.tsx'
import { ResolveItem } from './resolve-dialog.tsx'
import { itemOrder, itemStates, shortAccount } from './words.ts'

interface ItemsProps {
  items: SettlementItemList
  query: SettlementItemFilter
  organizationId: string | undefined
}

export const Items = ({ items: list, query, organizationId }: ItemsProps) => {
  const { batchId, ...filter } = query
  const name = encodeURIComponent(batchId)
  const from = `${settlementsRoute}/${name}/items`
  const page = `${settlementsPath}/${name}`
  return (
    <section
      id="settlement-items"
      class="page section"
      aria-labelledby="items"
      {...liveAt(listHref(from, filter), settlementsTopic(organizationId))}
    >
      <h2 id="items">Items</h2>
      <nav class="segments" aria-label="Items by state">
        {[undefined, ...itemOrder].map((status) => (
          <a href={listHref(page, { status })} aria-current={query.status === status ? 'page' : undefined} safe>
            {status === undefined ? 'All' : itemStates[status].word}
          </a>
        ))}
      </nav>
      {list.items.length > 0 ? (
        <>
          <div class="card">
            <Table items={list.items} batchId={batchId} canResolve={list.can.resolve} />
          </div>
          <More
            noun="items"
            shown={list.items.length}
            nextCursor={list.nextCursor}
            query={filter}
            page={page}
            from={from}
            target="#settlement-items"
          />
        </>
      ) : (
        <Empty icon="search" title="No items" text="No item of the batch has this state." small />
      )}
    </section>
  )
}

interface TableProps {
  items: SettlementItem[]
  batchId: string
  canResolve: boolean
}

const Table = ({ items, batchId, canResolve }: TableProps) => (
  <DataTable
    name="batches"
    caption={`Items of the batch, times in ${viewerZone()}`}
    columns={['Item', 'Recipient', 'State', number(`Time (${viewerZoneName()})`), number('Amount')]}
  >
    <tbody>
      {items.map((item) => (
        <tr id={`item-${item.id}`}>
          <td class="wrap-anywhere" safe>
            {item.reference}
          </td>
          <td data-at="title" class="wrap-anywhere">
            <span class="narrow-only" safe>{`${item.reference} · `}</span>
            <code title={item.recipient} safe>
              {shortAccount(item.recipient)}
            </code>
          </td>
          <td data-at="sub">
            <StatusMark {...itemStates[item.status]} />
            <Why item={item} />
            {canResolve && item.resolvable ? <ResolveItem item={item} batchId={batchId} /> : null}
          </td>
          <td data-num data-at="time">
            <Time at={item.changedAt} form="moment" />
          </td>
          <td data-num data-at="end">
            <b safe>{money(item.amount, item.currency)}</b>
            {item.returnedAmount > 0 ? (
              <small safe>{`${money(item.returnedAmount, item.currency)} returned`}</small>
            ) : null}
          </td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)

const Why = ({ item: { status, failureMessage, nextCheckAt } }: { item: SettlementItem }) => {
  if (status === 'unknown')
    return (
      <small>
        The response was lost. It is not sent again.
        {nextCheckAt ? (
          <>
            {' '}
            Next check <Time at={nextCheckAt} form="moment" />.
          </>
        ) : null}
      </small>
    )
  return failureMessage ? (
    <small class="wrap-anywhere" safe>
      {failureMessage}
    </small>
  ) : (
    <></>
  )
}
