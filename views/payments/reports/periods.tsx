import type { Period, PeriodFilter, PeriodList } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Badge } from '#views/ui/marks.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Time } from '#views/ui/time.tsx'
import { Choice, FilterForm, More } from '../filters.tsx'
import { ledgerTopic } from '../ledger/table.tsx'
import { shortHash } from '../ledger/words.ts'
import { ReportTabs } from './tabs.tsx'
import { monthText, reportsPath } from './words.ts'

interface PeriodsProps {
  list: PeriodList
  query: PeriodFilter
  organizationId: string | undefined
}

const path = `${reportsPath}/periods`
const route = '/api/reports/periods'

export const PeriodsPage = ({ list, query, organizationId }: PeriodsProps) => (
  <>
    <PageHeader title="Periods" crumbs={[{ href: reportsPath, label: 'Reports' }]} />
    <ReportTabs current="periods" merchantId={query.merchantId} />
    <div class="page stack">
      <Merchants list={list} query={query} />
      <p class="muted">
        Nothing can be booked to a closed month. What comes later for it is booked to the day on which it is recorded,
        and names the month. A closed month can’t be opened again.
      </p>
      <Periods list={list} query={query} organizationId={organizationId} />
    </div>
  </>
)

const Merchants = ({ list: { items }, query }: Omit<PeriodsProps, 'organizationId'>) => {
  const names = new Map(items.map(({ merchantId, merchantName }) => [merchantId, merchantName ?? 'Merchant']))
  return names.size > 1 || query.merchantId ? (
    <FilterForm label="Filter periods" path={path} clear={query.merchantId ? path : undefined}>
      <Choice
        label="Merchant"
        name="merchantId"
        chosen={query.merchantId}
        options={[...names].map(([value, label]) => ({ value, label }))}
      />
    </FilterForm>
  ) : (
    <></>
  )
}

export const Periods = ({ list: { items, nextCursor, can }, query, organizationId }: PeriodsProps) => (
  <div id="periods" {...liveAt(listHref(route, query), ledgerTopic(organizationId))}>
    {items.length === 0 ? (
      <Empty icon="calendar" title="No periods yet" text="Months appear here with the first merchant." />
    ) : (
      <>
        <ul class="card list" style="--pad: var(--space-4)">
          {items.map((period) => (
            <Row period={period} canClose={can.close && isNext(period, items)} />
          ))}
        </ul>
        <More
          noun="periods"
          shown={items.length}
          nextCursor={nextCursor}
          query={query}
          page={path}
          from={route}
          target="#periods"
        />
      </>
    )}
  </div>
)

/** Of its merchant’s open months, the oldest one that has bookings. */
const isNext = (period: Period, items: readonly Period[]): boolean =>
  period.state === 'open' &&
  period.isOver &&
  !items.some(
    ({ merchantId, month, state, transactions }) =>
      merchantId === period.merchantId && state === 'open' && transactions > 0 && month < period.month,
  )

const Row = ({ period, canClose }: { period: Period; canClose: boolean }) => (
  <li>
    <span class="grow">
      <a class="link" href={`${path}/${period.merchantId}/${period.month}`} safe>
        {`${monthText(period.month)}, ${period.merchantName ?? 'Merchant'}`}
      </a>
      <small class="wrap-anywhere">
        <Details period={period} />
      </small>
    </span>
    {period.state === 'closed' ? (
      <Badge label="Closed" icon="check" />
    ) : (
      <Button
        label="Close"
        size="sm"
        aria-label={`Close ${monthText(period.month)}, ${period.merchantName ?? 'Merchant'}`}
        disabled={!canClose}
        hx-post={route}
        hx-vals={JSON.stringify({ merchantId: period.merchantId, month: period.month })}
        hx-confirm={`Close ${monthText(period.month)}? After that, nothing can be booked to it, and it can’t be opened again.`}
        hx-target="#periods"
        hx-swap="outerMorph"
      />
    )}
  </li>
)

const Details = ({ period }: { period: Period }) => (
  <>
    <span safe>{`${period.transactions.toLocaleString('en')} transactions`}</span>
    {period.closedAt ? (
      <>
        {', closed '}
        <Time at={period.closedAt} form="shortDay" />
        {period.closedByName ? <span safe>{` by ${period.closedByName}`}</span> : null}
        {period.hash ? (
          <>
            {', '}
            <code safe>{`sha256 ${shortHash(period.hash)}`}</code>
          </>
        ) : null}
      </>
    ) : null}
    {period.late > 0 ? <span safe>{`, ${period.late} booked later`}</span> : null}
    {period.state === 'open' && !period.isOver ? <span>, open. You can close it once it is over.</span> : null}
  </>
)
