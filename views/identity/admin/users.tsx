import type { AdminUser } from '#identity/types'
import { Badge } from '#views/ui/badge.tsx'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { MoreRows } from '#views/ui/more-rows.tsx'
import { Time } from '#views/ui/time.tsx'

export interface AdminUsersProps {
  query: string
  users: AdminUser[]
  nextCursor: string | null
}

/** All people of the platform. */
export const AdminUsers = (props: AdminUsersProps) => (
  <div class="page stack" style="--measure: 60rem">
    <section class="section" aria-labelledby="users">
      <h2 id="users">People</h2>
      <Filters query={props.query} />
      <div class="bleed">{props.users.length > 0 ? <Table {...props} /> : <Nothing />}</div>
    </section>
  </div>
)

const path = '/admin/users'

const Filters = ({ query }: Pick<AdminUsersProps, 'query'>) => (
  <form class="filters" action={path} role="search" aria-label="Find people">
    <input
      class="input"
      type="search"
      name="query"
      aria-label="Email, name or ID"
      placeholder="Email, name or ID"
      value={query}
      maxlength={254}
      autocomplete="off"
    />
    <Button label="Find" type="submit" />
  </form>
)

const Nothing = () => (
  <Empty icon="search" title="No matches" text="No email or name starts with this, and no account has this ID.">
    <ButtonLink label="Show everyone" href={path} />
  </Empty>
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
        <th scope="col">Created (UTC)</th>
      </tr>
    </thead>
    <tbody>
      {props.users.map((user) => (
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
      <Time at={user.createdAt} zone="UTC" form="longDay" />
    </td>
  </tr>
)

const More = ({ query, users, nextCursor }: AdminUsersProps) => {
  if (!nextCursor) return <></>
  const next = `${path}?${new URLSearchParams({ query, cursor: nextCursor })}`
  return <MoreRows label="More people" summary={`${users.length} shown`} next={next} columns={3} />
}
