import type { Invitation, Member, Members as MemberList } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref, Pager } from '#views/ui/lists.tsx'
import { Avatar, Badge, StatusMark } from '#views/ui/marks.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { InviteButton, InviteDialog } from './invite-dialog.tsx'
import { Invitations } from './invitations.tsx'
import { MemberActions, type MemberRowProps } from './member-actions.tsx'
import { isAgent, SecondFactor } from './second-factor.tsx'
import { MembersRefreshPlace } from './members-refresh.tsx'
import { NewAgentButton, NewAgentDialog } from '../../api-keys/new-agent-dialog.tsx'
import { memberRoles, roleName } from '../roles.ts'

interface MemberFilter {
  q?: string
  role?: Member['role']
  /** A brand, say. */
  resourceId?: string
}

interface MemberRowsProps {
  organizationId: string
  me: string
  members: Member[]
  nextCursor: string | null
  filter?: MemberFilter
  /** It follows another page. */
  cursor?: string
}

export interface MembersProps extends MemberRowsProps {
  role: Member['role']
  can: MemberList['can']
  resources: MemberList['resources']
  /** Null for viewers who can’t invite. */
  invitations: Invitation[] | null
}

/** More than most organizations have; further members are loaded on request. */
export const membersPerPage = 50

const columns = 7

export const Members = ({ role, can, resources, invitations, ...list }: MembersProps) => (
  <>
    <header class="page-header">
      <h1>Members</h1>
      <div class="actions">
        {can.createAgent ? <NewAgentButton /> : null}
        {can.createInvitation ? <InviteButton /> : null}
      </div>
    </header>
    <div class="page stack" style="--measure: 80rem; --gap: var(--space-5)">
      <MembersRefreshPlace />
      <Filters organizationId={list.organizationId} filter={list.filter} resources={resources} />
      <div class="bleed">
        <table class="table members" id="member-table" data-list data-lines="2" data-brief={!can.createInvitation}>
          <caption class="visually-hidden">Members</caption>
          <Columns />
          {invitations ? <Invitations {...list} invitations={invitations} /> : null}
          <MemberRows {...list} />
        </table>
      </div>
      {can.createInvitation ? <InviteDialog organizationId={list.organizationId} role={role} /> : null}
      {can.createAgent ? <NewAgentDialog organizationId={list.organizationId} /> : null}
    </div>
  </>
)

const Filters = ({
  organizationId,
  filter: { q, role, resourceId } = {},
  resources,
}: Pick<MembersProps, 'organizationId' | 'filter' | 'resources'>) => (
  <form
    class="filters"
    role="search"
    aria-label="Search members"
    action="/settings/members"
    hx-get={`/api/organizations/${organizationId}/members`}
    hx-vals={JSON.stringify({ limit: membersPerPage })}
    hx-target="#member-rows"
    hx-swap="outerMorph"
    hx-sync="this:replace"
    hx-trigger="input changed delay:300ms from:#member-search, change target:select, submit"
  >
    <label class="input">
      <Icon name="search" />
      <input
        id="member-search"
        type="search"
        name="q"
        placeholder="Name or email"
        aria-label="Name or email"
        value={q}
        maxlength={100}
      />
    </label>
    <Choice
      label="Role"
      name="role"
      all="All roles"
      chosen={role}
      options={memberRoles.map((value) => ({ value, label: roleName(value) }))}
    />
    {resources && resources.length > 0 ? (
      <Choice
        label="Limited to brand"
        name="resourceId"
        all="All brands"
        chosen={resourceId}
        options={resources.map(({ id, name }) => ({ value: id, label: `Limited to ${name}` }))}
      />
    ) : null}
    <noscript>
      <Button label="Filter" type="submit" />
    </noscript>
  </form>
)

interface ChoiceProps {
  label: string
  name: string
  all: string
  chosen?: string
  options: { value: string; label: string }[]
}

const Choice = ({ label, name, all, chosen, options }: ChoiceProps) => (
  <select class="input" name={name} aria-label={label}>
    <option value="" safe>
      {all}
    </option>
    <>
      {options.map(({ value, label: text }) => (
        <option value={value} selected={value === chosen} safe>
          {text}
        </option>
      ))}
    </>
  </select>
)

const Columns = () => (
  <>
    <colgroup>
      <col class="c-lead" />
      <col />
      <col class="c-role" />
      <col class="c-brands" />
      <col class="c-factor" />
      <col class="c-last" />
      <col class="c-menu" />
    </colgroup>
    <thead>
      <tr>
        <th scope="col">
          <span class="visually-hidden">Picture</span>
        </th>
        <th scope="col">Name</th>
        <th scope="col">Role</th>
        <th scope="col">Brands</th>
        <th scope="col">Second factor</th>
        <th scope="col" safe>{`Joined (${viewerZoneName()})`}</th>
        <th scope="col">
          <span class="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
  </>
)

/** People before agents, where all of them are listed. */
export const MemberRows = (props: MemberRowsProps) => {
  const { members, nextCursor, cursor, filter } = props
  const [agents, people] = [members.filter(isAgent), members.filter((member) => !isAgent(member))]
  const isWhole = nextCursor === null && cursor === undefined
  return (
    <tbody id="member-rows">
      {isWhole ? (
        <>
          <Group title="People" members={people} list={props} />
          <Group title="Agents" members={agents} list={props} />
        </>
      ) : (
        <Rows members={members} list={props} />
      )}
      {members.length === 0 ? (
        <tr data-group>
          <td colspan={columns} data-at="title" class="muted" safe>
            {noMatch(filter)}
          </td>
        </tr>
      ) : null}
      <More {...props} />
    </tbody>
  )
}

const noMatch = ({ q, role, resourceId }: MemberFilter = {}): string =>
  q && !role && !resourceId ? `No member has “${q}” in their name or email.` : 'No member matches these filters.'

interface RowsProps {
  members: Member[]
  list: MemberRowsProps
}

const Group = ({ title, members, list }: RowsProps & { title: string }) =>
  members.length > 0 ? (
    <>
      <tr data-group>
        <th colspan={columns} scope="colgroup">
          <span safe>{title}</span> <small class="muted">{members.length}</small>
        </th>
      </tr>
      <Rows members={members} list={list} />
    </>
  ) : (
    <></>
  )

const Rows = ({ members, list: { organizationId, me } }: RowsProps) => (
  <>
    {members.map((member) => (
      <MemberRow organizationId={organizationId} me={me} member={member} />
    ))}
  </>
)

export const MemberRow = (props: MemberRowProps) => {
  const { member, me } = props
  return (
    <tr id={`member-${member.id}`}>
      <td data-at="lead">
        {isAgent(member) ? (
          <span class="avatar">
            <Icon name="bot" />
          </span>
        ) : (
          <Avatar name={member.name} seed={member.id} />
        )}
      </td>
      <td data-at="title">
        <Name member={member} /> {member.id === me ? <Badge label="You" /> : null}
        <small class="wrap-anywhere" safe>
          {isAgent(member) ? 'Uses API keys only' : member.email}
        </small>
      </td>
      <td safe>{roleName(member.role)}</td>
      <td data-at="sub">
        <span class="narrow-only" safe>
          {`${roleName(member.role)}${member.resources ? ' · ' : ''}`}
        </span>
        <Brands member={member} />
        {member.secondFactor === false ? (
          <div class="narrow-only">
            <StatusMark state="waiting" icon="triangle-alert" word="No second factor" />
          </div>
        ) : null}
      </td>
      <td>
        <SecondFactor member={member} />
      </td>
      <td data-at="time" class="muted">
        <Time at={member.joinedAt} form="shortDay" />
      </td>
      <td data-at="menu" class="end">
        <MemberActions {...props} />
      </td>
    </tr>
  )
}

const Name = ({ member }: { member: Member }) =>
  member.can.inspectPermissions ? (
    <a class="row-link wrap-anywhere" href={`/settings/members/${member.id}`} safe>
      {member.name}
    </a>
  ) : (
    <span class="wrap-anywhere" safe>
      {member.name}
    </span>
  )

const Brands = ({ member: { resources, role } }: { member: Member }) => {
  if (!resources) return <></>
  if (resources.length === 0) return <span class="muted">All brands</span>
  const named = resources.map(
    (one) => `${one.name ?? 'a removed brand'}${one.role === role ? '' : ` as ${roleName(one.role)}`}`,
  )
  return <span safe>{named.join(', ')}</span>
}

const More = ({ organizationId, members, nextCursor, filter }: MemberRowsProps) => {
  if (!nextCursor) return <></>
  const following = { ...filter, cursor: nextCursor }
  return (
    <tr class="more" data-group>
      <td colspan={columns} data-at="title">
        <Pager
          label="More members"
          summary={`${members.length} more loaded`}
          next={listHref('/settings/members', following)}
          hx-get={listHref(`/api/organizations/${organizationId}/members`, {
            limit: `${membersPerPage}`,
            ...following,
          })}
          hx-target="closest tr"
          hx-select="tr"
          hx-swap="outerHTML"
        />
      </td>
    </tr>
  )
}
