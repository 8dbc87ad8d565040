import type { AdminApp } from '#identity/types'
import type { PageOf } from '#lib/paginate.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { PlainAppMark } from '#views/ui/page-header.tsx'
import { AdminSearch, adminPageSize } from '#views/ui/admin-search.tsx'
import { AppStatus } from '../app-status.tsx'

interface Filter {
  q?: string
  status?: AdminApp['status']
}

export interface AdminAppsProps {
  filter: Filter
  list: PageOf<AdminApp>
}

const path = '/admin/apps'
const listId = 'app-list'
const states = [
  { value: '', label: 'All' },
  { value: 'submitted', label: 'In review' },
  { value: 'published', label: 'Published' },
  { value: 'rejected', label: 'Rejected' },
]

export const AdminApps = (props: AdminAppsProps) => (
  <>
    <header class="page-header">
      <h1>App reviews</h1>
    </header>
    <div class="page stack" style="--gap: var(--space-5)">
      <AdminSearch
        path={path}
        label="Search apps"
        field={{ name: 'q', label: 'App or organization', value: props.filter.q, maxlength: 100 }}
        segments={{ name: 'status', label: 'State', options: states, value: props.filter.status }}
        list={listId}
      />
      <AdminAppTable {...props} />
    </div>
  </>
)

export const AdminAppTable = (props: AdminAppsProps) => (
  <div class="bleed" id={listId}>
    {props.list.items.length > 0 ? <Table {...props} /> : <NoResults {...props} />}
  </div>
)

const NoResults = ({ filter: { q, status } }: AdminAppsProps) =>
  q || status ? (
    <Empty icon="search" title="No results" text="No apps match these filters.">
      <ButtonLink label="Clear filters" href={path} />
    </Empty>
  ) : (
    <Empty icon="layout-grid" title="No apps yet" text="Apps that developers submit for review appear here." />
  )

const Table = ({ filter, list: { items, nextCursor } }: AdminAppsProps) => (
  <table class="table reviews" data-list data-lines="2">
    <caption class="visually-hidden">Apps, submitted ones first</caption>
    <thead>
      <tr>
        <th scope="col" class="c-lead">
          <span class="visually-hidden">Icon</span>
        </th>
        <th scope="col">App</th>
        <th scope="col" class="c-state">
          State
        </th>
        <th scope="col" class="c-state" safe>{`Submitted (${viewerZoneName()})`}</th>
      </tr>
    </thead>
    <tbody>
      {items.map((app) => (
        <tr>
          <td data-at="lead">
            <PlainAppMark />
          </td>
          <td data-at="title">
            <a class="row-link" href={`${path}/${app.id}`} safe>
              {app.name}
            </a>
            <small class="wrap-anywhere" safe>
              {app.organization.name}
            </small>
          </td>
          <td data-at="end">
            <AppStatus status={app.status} />
          </td>
          <td class="wide-only muted">
            {app.submittedAt ? <Time at={app.submittedAt} form="moment" /> : 'Not in review'}
          </td>
        </tr>
      ))}
    </tbody>
    {nextCursor ? (
      <MoreRows
        label="More apps"
        summary={`${items.length} shown`}
        next={`${path}?${queryOf(filter, nextCursor)}`}
        from={`/api${path}?${queryOf(filter, nextCursor)}&limit=${adminPageSize}`}
        columns={4}
      />
    ) : null}
  </table>
)

const queryOf = ({ q, status }: Filter, cursor: string) =>
  new URLSearchParams({ ...(q && { q }), ...(status && { status }), cursor })
