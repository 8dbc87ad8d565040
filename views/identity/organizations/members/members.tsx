import type { Invitation, Member, Members as MemberList } from '#identity/types'
import { Icon } from '#views/ui/icon.tsx'
import { Pager } from '#views/ui/lists.tsx'
import { Avatar, Badge, StatusMark } from '#views/ui/marks.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { InviteButton, InviteDialog } from './invite-dialog.tsx'
import { Invitations } from './invitations.tsx'
import { MemberActions, type MemberRowProps } from './member-actions.tsx'
import { MembersRefreshPlace } from './members-refresh.tsx'
import { NewAgentButton, NewAgentDialog } from '../../api-keys/new-agent-dialog.tsx'
import { roleName } from '../roles.ts'

interface MemberRowsProps {
  organizationId: string
  me: string
  members: Member[]
  nextCursor: string | null
  q?: string
  /** It follows another page. */
  cursor?: string
}

export interface MembersProps extends MemberRowsProps {
  role: Member['role']
  can: MemberList['can']
  /** Null for viewers who can’t invite. */
  invitations: Invitation[] | null
}

/** More than most organizations have; further members are loaded on request. */
export const membersPerPage = 50

const columns = 7

export const Members = ({ role, can, invitations, ...list }: MembersProps) => (
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
      <Search organizationId={list.organizationId} q={list.q} />
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

const Search = ({ organizationId, q }: Pick<MemberRowsProps, 'organizationId' | 'q'>) => (
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
    hx-trigger="input changed delay:300ms from:#member-search, submit"
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
  </form>
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
  const { members, nextCursor, cursor, q } = props
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
            {`No member has “${q ?? ''}” in their name or email.`}
          </td>
        </tr>
      ) : null}
      <More {...props} />
    </tbody>
  )
}

const isAgent = ({ principalType }: Member): boolean => principalType === 'agent'

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

const SecondFactor = ({ member }: { member: Member }) => {
  if (isAgent(member)) return <span class="muted">Not needed</span>
  if (member.secondFactor === null) return <></>
  return member.secondFactor ? (
    <StatusMark state="published" icon="shield-check" word="On" />
  ) : (
    <StatusMark state="waiting" icon="triangle-alert" word="None" />
  )
}

const More = ({ organizationId, members, nextCursor, q }: MemberRowsProps) => {
  if (!nextCursor) return <></>
  const search = q ? `q=${encodeURIComponent(q)}&` : ''
  const cursor = `${search}cursor=${encodeURIComponent(nextCursor)}`
  return (
    <tr class="more" data-group>
      <td colspan={columns} data-at="title">
        <Pager
          label="More members"
          summary={`${members.length} more loaded`}
          next={`/settings/members?${cursor}`}
          hx-get={`/api/organizations/${organizationId}/members?limit=${membersPerPage}&${cursor}`}
          hx-target="closest tr"
          hx-select="tr"
          hx-swap="outerHTML"
        />
      </td>
    </tr>
  )
}
