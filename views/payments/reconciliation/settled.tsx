import type { ReconciliationDifference } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Time } from '#views/ui/time.tsx'
import { More } from '../filters.tsx'
import { money } from '../money.ts'
import type { DifferencesProps } from './props.ts'
import { reconciliationPath, reconciliationRoute, reconciliationTopic, resolutions } from './words.ts'

const route = `${reconciliationRoute}/differences`

export const Settled = ({ list: { items, nextCursor }, query, organizationId }: DifferencesProps) => (
  <section
    class="section"
    id="settled-differences"
    aria-labelledby="settled-title"
    {...liveAt(listHref(route, query), reconciliationTopic(organizationId))}
  >
    <header>
      <h2 id="settled-title">Recently resolved</h2>
      {nextCursor === null ? null : (
        <a class="link small" href={`${reconciliationPath}?show=closed`}>
          View all
        </a>
      )}
    </header>
    {items.length === 0 ? (
      <p class="muted">Differences that were explained, recorded or that both sides agree about by now appear here.</p>
    ) : (
      <div class="card">
        <table class="table" data-list>
          <caption class="visually-hidden">Resolved differences</caption>
          <thead>
            <tr>
              <th scope="col">Difference</th>
              <th scope="col">Resolution</th>
              <th scope="col">By</th>
              <th scope="col">Date</th>
              <th scope="col" data-num>
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((difference) => (
              <Row difference={difference} />
            ))}
          </tbody>
        </table>
      </div>
    )}
    {query.limit > 5 ? (
      <More
        noun="differences"
        shown={items.length}
        nextCursor={nextCursor}
        query={query}
        page={reconciliationPath}
        from={route}
        target="#settled-differences"
      />
    ) : null}
  </section>
)

const Row = ({ difference }: { difference: ReconciliationDifference }) => {
  const { title, orderNumber, status, note, resolvedByName, resolvedAt, currency, ledgerAmount, providerAmount } =
    difference
  const gap = (providerAmount ?? 0) - (ledgerAmount ?? 0)
  const gapText = currency && gap !== 0 ? money(gap, currency) : ''
  return (
    <tr>
      <td data-at="title" class="wrap-anywhere">
        <span safe>{title}</span>
        {orderNumber ? <small safe>{` Order ${orderNumber}`}</small> : null}
      </td>
      <td data-at="sub" class="wrap-anywhere">
        <span safe>{resolutions[status]}</span>
        {note ? <small safe>{` ${note}`}</small> : null}
      </td>
      <td safe>{resolvedByName ?? 'Automatic'}</td>
      <td data-at="time" class="nowrap">
        {resolvedAt ? <Time at={resolvedAt} form="moment" /> : null}
      </td>
      <td data-num data-at="end" class="nowrap" safe>
        {gapText}
      </td>
    </tr>
  )
}
