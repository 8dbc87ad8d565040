import type { AdminOrganization } from '#identity/types'
import type { PageOf } from '#lib/paginate.ts'
import { counted } from '#lib/text.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { Avatar, StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { AdminSearch, adminPageSize } from '#views/ui/admin-search.tsx'

interface Filter {
  q?: string
  state?: AdminOrganization['state']
}

export interface AdminOrganizationsProps {
  filter: Filter
  list: PageOf<AdminOrganization>
}

export const AdminOrganizations = (props: AdminOrganizationsProps) => (
  <>
    <header class="page-header">
      <h1>Organizations</h1>
    </header>
    <div class="page stack" style="--gap: var(--space-5)">
      <AdminSearch
        path={path}
        label="Search organizations"
        field={{ name: 'q', label: 'Name or slug', value: props.filter.q, maxlength: 100 }}
        segments={{ name: 'state', label: 'State', options: states, value: props.filter.state }}
        list={listId}
      />
      <AdminOrganizationTable {...props} />
    </div>
  </>
)

const path = '/admin/organizations'
const listId = 'organization-list'
const states = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'deleting', label: 'Deletion scheduled' },
]

const NoResults = () => (
  <Empty icon="search" title="No results" text="No organizations match these filters.">
    <ButtonLink label="Clear filters" href={path} />
  </Empty>
)

export const AdminOrganizationTable = (props: AdminOrganizationsProps) => (
  <div class="bleed" id={listId}>
    {props.list.items.length > 0 ? <Table {...props} /> : <NoResults />}
  </div>
)

const Table = (props: AdminOrganizationsProps) => (
  <table class="table organizations" data-list data-lines="2">
    <caption class="visually-hidden">Organizations, oldest first</caption>
    <thead>
      <tr>
        <th scope="col" class="c-lead">
          <span class="visually-hidden">Logo</span>
        </th>
        <th scope="col">Organization</th>
        <th scope="col" class="c-state">
          State
        </th>
        <th scope="col" class="c-num" data-num>
          Members
        </th>
        <th scope="col" class="c-made">
          Created
        </th>
      </tr>
    </thead>
    <tbody>
      {props.list.items.map((organization) => (
        <Row organization={organization} />
      ))}
    </tbody>
    <More {...props} />
  </table>
)

const Row = ({ organization }: { organization: AdminOrganization }) => (
  <tr>
    <td data-at="lead">
      <Avatar name={organization.name} seed={organization.id} image={organization.logoUrl} shape="square" />
    </td>
    <td data-at="title">
      <a class="row-link" href={`${path}/${organization.id}`} safe>
        {organization.name}
      </a>
      <small class="wrap-anywhere" safe>
        {organization.slug}
      </small>
    </td>
    <td data-at="sub">
      <OrganizationState state={organization.state} />
      <small class="narrow-only" safe>
        {counted(organization.members, 'member')}
      </small>
    </td>
    <td class="wide-only" data-num>
      {organization.members}
    </td>
    <td class="wide-only muted">
      <Time at={organization.createdAt} form="shortDay" />
    </td>
  </tr>
)

const looks: Record<AdminOrganization['state'], StatusLook> = {
  active: { state: 'published', icon: 'circle-check', word: 'Active' },
  suspended: { state: 'failed', icon: 'pause', word: 'Suspended' },
  deleting: { state: 'failed', icon: 'trash-2', word: 'Deletion scheduled' },
}

export const OrganizationState = ({ state }: Pick<AdminOrganization, 'state'>) => <StatusMark {...looks[state]} />

const More = ({ filter, list: { items, nextCursor } }: AdminOrganizationsProps) => {
  if (!nextCursor) return <></>
  const { q, state } = filter
  const query = new URLSearchParams({ ...(q && { q }), ...(state && { state }), cursor: nextCursor })
  return (
    <MoreRows
      label="More organizations"
      summary={`${items.length} shown`}
      next={`${path}?${query}`}
      from={`/api${path}?${query}&limit=${adminPageSize}`}
      columns={5}
    />
  )
}
