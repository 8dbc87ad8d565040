import type { AdminUser } from '#identity/types'
import type { PageOf } from '#lib/paginate.ts'
import { Avatar, Badge } from '#views/ui/marks.tsx'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { Time } from '#views/ui/time.tsx'
import { AdminSearch, adminPageSize } from '#views/ui/admin-search.tsx'

export interface AdminUsersProps {
  query?: string
  list: PageOf<AdminUser>
}

export const AdminUsers = (props: AdminUsersProps) => (
  <>
    <header class="page-header">
      <h1>People</h1>
    </header>
    <div class="page stack" style="--gap: var(--space-5)">
      <AdminSearch
        path={path}
        label="Search people"
        field={{ name: 'query', label: 'Email, name or ID', value: props.query, maxlength: 254 }}
        list={listId}
      />
      <AdminUserTable {...props} />
    </div>
  </>
)

const path = '/admin/users'
const listId = 'user-list'

const NoResults = () => (
  <Empty icon="search" title="No results" text="No email or name starts with this, and no account has this ID.">
    <ButtonLink label="Clear search" href={path} />
  </Empty>
)

export const AdminUserTable = (props: AdminUsersProps) => (
  <div class="bleed" id={listId}>
    {props.list.items.length > 0 ? <Table {...props} /> : <NoResults />}
  </div>
)

const Table = (props: AdminUsersProps) => (
  <table class="table people" data-list data-lines="2">
    <caption class="visually-hidden">People, oldest account first</caption>
    <thead>
      <tr>
        <th scope="col" class="c-lead">
          <span class="visually-hidden">Picture</span>
        </th>
        <th scope="col">Name</th>
        <th scope="col" class="c-num" data-num>
          Organizations
        </th>
        <th scope="col" class="c-made">
          Created
        </th>
      </tr>
    </thead>
    <tbody>
      {props.list.items.map((user) => (
        <Row user={user} />
      ))}
    </tbody>
    <More {...props} />
  </table>
)

const Row = ({ user }: { user: AdminUser }) => (
  <tr>
    <td data-at="lead">
      <Avatar name={user.name} seed={user.id} />
    </td>
    <td data-at="title">
      <a class="row-link" href={`${path}/${user.id}`} safe>
        {user.name}
      </a>{' '}
      {user.principalType === 'platform_super_admin' ? <Badge label="Super admin" /> : null}
      {user.deletesAt ? <Badge label="Deletion scheduled" tone="danger" /> : null}
      <small class="wrap-anywhere" safe>
        {user.email}
      </small>
    </td>
    <td class="wide-only" data-num>
      {user.organizations}
    </td>
    <td class="wide-only muted">
      <Time at={user.createdAt} form="shortDay" />
    </td>
  </tr>
)

const More = ({ query, list: { items, nextCursor } }: AdminUsersProps) => {
  if (!nextCursor) return <></>
  const search = new URLSearchParams({ ...(query && { query }), cursor: nextCursor })
  return (
    <MoreRows
      label="More people"
      summary={`${items.length} shown`}
      next={`${path}?${search}`}
      from={`/api${path}?${search}&limit=${adminPageSize}`}
      columns={4}
    />
  )
}
