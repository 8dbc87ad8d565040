import type { AdminOrganization } from '#identity/types'
import type { PageOf } from '#lib/paginate.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { AdminSearch, adminPageSize } from './admin-search.tsx'

interface Filter {
  q?: string
  state?: AdminOrganization['state']
}

export interface AdminOrganizationsProps {
  filter: Filter
  list: PageOf<AdminOrganization>
}

export const AdminOrganizations = (props: AdminOrganizationsProps) => (
  <div class="page stack" style="--measure: 60rem">
    <section class="section" aria-labelledby="organizations">
      <h1 id="organizations">Organizations</h1>
      <Filters {...props} />
      <AdminOrganizationTable {...props} />
    </section>
  </div>
)

const Filters = ({ filter }: Pick<AdminOrganizationsProps, 'filter'>) => (
  <AdminSearch
    path={path}
    label="Search organizations"
    field={{ name: 'q', label: 'Name or slug', value: filter.q, maxlength: 100 }}
    list={listId}
  >
    <select class="input" name="state" aria-label="State">
      {states.map(({ value, label }) => (
        <option value={value} selected={value === (filter.state ?? '')} safe>
          {label}
        </option>
      ))}
    </select>
  </AdminSearch>
)

const path = '/admin/organizations'
const listId = 'organization-list'
const states = [
  { value: '', label: 'Any state' },
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
  <table class="table" data-list>
    <caption class="visually-hidden">Organizations, oldest first</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">State</th>
        <th scope="col" data-num>
          Members
        </th>
        <th scope="col" safe>{`Created (${viewerZoneName()})`}</th>
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
    <td data-at="title">
      <span class="row">
        <span class="grow">
          <a class="row-link wrap-anywhere" href={`${path}/${organization.id}`} safe>
            {organization.name}
          </a>
          <small class="wrap-anywhere" safe>
            {organization.slug}
          </small>
        </span>
      </span>
    </td>
    <td data-at="end">
      <OrganizationState state={organization.state} />
    </td>
    <td class="wide-only" data-num>
      {organization.members}
    </td>
    <td class="wide-only">
      <Time at={organization.createdAt} form="longDay" />
    </td>
  </tr>
)

export const OrganizationState = ({ state }: Pick<AdminOrganization, 'state'>) =>
  state === 'active' ? (
    <span class="status" data-state="published">
      <Icon name="circle-check" />
      Active
    </span>
  ) : (
    <span class="status" data-state="failed">
      <Icon name={state === 'suspended' ? 'pause' : 'trash-2'} />
      {state === 'suspended' ? 'Suspended' : 'Deletion scheduled'}
    </span>
  )

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
      columns={4}
    />
  )
}
