import type { AdminUser } from '#identity/types'
import type { PageOf } from '#lib/paginate.ts'
import { Badge } from '#views/ui/marks.tsx'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { AdminSearch, adminPageSize } from './admin-search.tsx'

export interface AdminUsersProps {
  query?: string
  list: PageOf<AdminUser>
}

export const AdminUsers = (props: AdminUsersProps) => (
  <div class="page stack" style="--measure: 60rem">
    <section class="section" aria-labelledby="users">
      <h1 id="users">People</h1>
      <Filters query={props.query} />
      <AdminUserTable {...props} />
    </section>
  </div>
)

const path = '/admin/users'
const listId = 'user-list'

const Filters = ({ query }: Pick<AdminUsersProps, 'query'>) => (
  <AdminSearch
    path={path}
    label="Search people"
    field={{ name: 'query', label: 'Email, name or ID', value: query, maxlength: 254 }}
    list={listId}
  />
)

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
  <table class="table" data-list>
    <caption class="visually-hidden">People, oldest account first</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col" data-num>
          Organizations
        </th>
        <th scope="col" safe>{`Created (${viewerZoneName()})`}</th>
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
    <td data-at="title">
      <span class="row">
        <span class="grow">
          <a class="row-link wrap-anywhere" href={`${path}/${user.id}`} safe>
            {user.name}
          </a>{' '}
          {user.principalType === 'platform_super_admin' ? <Badge label="Super admin" /> : null}
          {user.deletesAt ? <Badge label="Deletion scheduled" tone="danger" /> : null}
          <small class="wrap-anywhere" safe>
            {user.email}
          </small>
        </span>
      </span>
    </td>
    <td class="wide-only" data-num>
      {user.organizations}
    </td>
    <td class="wide-only">
      <Time at={user.createdAt} form="longDay" />
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
      columns={3}
    />
  )
}
