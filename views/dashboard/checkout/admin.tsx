import type { AdminCheckout } from '#dashboard/types'
import type { PageOf } from '#lib/paginate.ts'
import { counted } from '#lib/text.ts'
import { AdminSearch, adminPageSize } from '#views/ui/admin-search.tsx'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { StatusMark, wordsOf, type StatusLook } from '#views/ui/marks.tsx'
import { Time, TimesIn } from '#views/ui/time.tsx'
import { packages } from './words.ts'

interface AdminCheckoutsProps {
  filter: { q?: string; state?: AdminCheckout['state'] }
  list: PageOf<AdminCheckout>
}

const path = '/admin/checkouts'
const listId = 'checkout-list'

const states: Record<AdminCheckout['state'], StatusLook> = {
  open: { state: 'waiting', icon: 'circle-dot', word: 'Not paid' },
  paid: { state: 'waiting', icon: 'clock', word: 'Being set up' },
  waiting: { state: 'waiting', icon: 'clock', word: 'Owner must accept' },
  ready: { state: 'published', icon: 'circle-check', word: 'Ready' },
  abandoned: { state: 'draft', icon: 'circle-slash', word: 'Abandoned' },
  duplicate: { state: 'failed', icon: 'circle-slash', word: 'Paid twice, refunded' },
  refused: { state: 'failed', icon: 'circle-alert', word: 'Refused, refunded' },
}

const queryOf = ({ q, state }: AdminCheckoutsProps['filter']) =>
  new URLSearchParams({ ...(q && { q }), ...(state && { state }) })

export const AdminCheckouts = (props: AdminCheckoutsProps) => (
  <>
    <header class="page-header">
      <h1>Checkouts</h1>
      <small class="muted">
        What visitors bought on the website. <TimesIn />
      </small>
    </header>
    <div class="page stack" style="--gap: var(--space-5)">
      <AdminSearch
        path={path}
        label="Search checkouts"
        field={{ name: 'q', label: 'Email or organization', value: props.filter.q, maxlength: 100 }}
        choices={[
          { name: 'state', label: 'State', all: 'All states', options: wordsOf(states), value: props.filter.state },
        ]}
        list={listId}
      />
      <AdminCheckoutTable {...props} />
    </div>
  </>
)

export const AdminCheckoutTable = ({ filter, list }: AdminCheckoutsProps) => (
  <div class="bleed" id={listId}>
    {list.items.length > 0 ? (
      <Table filter={filter} list={list} />
    ) : (
      <NoResults isFiltered={queryOf(filter).size > 0} />
    )}
  </div>
)

const NoResults = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon="search" title="No results" text="No checkout of the last 90 days matches.">
      <ButtonLink label="Clear filters" href={path} />
    </Empty>
  ) : (
    <Empty icon="receipt" title="No checkouts yet" text="What visitors buy on the website appears here for 90 days.">
      <ButtonLink label="Open the checkout" href="/checkout" />
    </Empty>
  )

const Table = ({ filter, list: { items, nextCursor } }: AdminCheckoutsProps) => (
  <table class="table" data-list data-lines="2">
    <caption class="visually-hidden">Checkouts, newest first</caption>
    <thead>
      <tr>
        <th scope="col">Organization</th>
        <th scope="col">Package</th>
        <th scope="col">State</th>
        <th scope="col">Started</th>
      </tr>
    </thead>
    <tbody>
      {items.map((checkout) => (
        <Row checkout={checkout} />
      ))}
    </tbody>
    {nextCursor ? (
      <MoreRows
        label="More checkouts"
        summary={`${items.length} shown`}
        next={`${path}?${new URLSearchParams([...queryOf(filter), ['cursor', nextCursor]])}`}
        from={`/api${path}?${new URLSearchParams([...queryOf(filter), ['cursor', nextCursor], ['limit', String(adminPageSize)]])}`}
        columns={4}
      />
    ) : null}
  </table>
)

const reasons: Readonly<Record<string, string>> = {
  order_unclaimed: 'No organization was chosen in 14 days',
  order_ended: 'Ended before it was set up',
  not_a_customer: 'The address is a super admin’s or an agent’s',
  workspace_suspended: 'The organization is suspended',
  account_deletion_pending: 'The account is about to be deleted',
  not_started: 'The payment page could not be opened',
}

const reasonOf = ({ state, problem }: AdminCheckout): string | null =>
  reasons[problem ?? ''] ?? (state === 'refused' ? 'The address can’t own an organization' : null)

const orderText = ({ package: name, seats }: AdminCheckout): string =>
  `${packages[name].name}, ${counted(seats, 'seat')}`

const Row = ({ checkout }: { checkout: AdminCheckout }) => {
  const reason = reasonOf(checkout)
  return (
    <tr>
      <td data-at="title">
        {checkout.organizationId ? (
          <a class="row-link wrap-anywhere" href={`/admin/organizations/${checkout.organizationId}`} safe>
            {checkout.organizationName}
          </a>
        ) : (
          <span class="wrap-anywhere" safe>
            {checkout.organizationName}
          </span>
        )}
        <small class="wrap-anywhere" safe>
          {checkout.email}
        </small>
      </td>
      <td class="wide-only" safe>
        {orderText(checkout)}
      </td>
      <td data-at="sub">
        <StatusMark {...states[checkout.state]} />
        {reason === null ? null : <small safe>{reason}</small>}
        <small class="narrow-only" safe>
          {orderText(checkout)}
        </small>
      </td>
      <td class="muted" data-at="time">
        <Time at={checkout.createdAt} form="moment" />
      </td>
    </tr>
  )
}
