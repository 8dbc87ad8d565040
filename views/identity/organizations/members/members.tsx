import type { Invitation, Member, Members as MemberList } from '#identity/types'
import { Badge, Avatar } from '#views/ui/marks.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { InviteButton, InviteDialog } from './invite-dialog.tsx'
import { Invitations } from './invitations.tsx'
import { MemberActions, type MemberRowProps } from './member-actions.tsx'
import { NewAgentButton, NewAgentDialog } from '../../api-keys/new-agent-dialog.tsx'
import { roleName } from '../roles.ts'

interface MemberTableProps {
  organizationId: string
  me: string
  members: Member[]
  nextCursor: string | null
  q?: string
}

export interface MembersProps extends Omit<MemberTableProps, 'q'> {
  role: Member['role']
  can: MemberList['can']
  /** Null for viewers who can’t invite. */
  invitations: Invitation[] | null
}

/** More than most organizations have; further members are loaded on request. */
export const membersPerPage = 50

export const Members = ({ role, can, invitations, ...table }: MembersProps) => (
  <div class="page stack" style="--measure: 60rem; --gap: var(--space-8)">
    <section class="section" aria-labelledby="members">
      <header>
        <h1 id="members">Members</h1>
        {can.createAgent || can.createInvitation ? (
          <span class="row">
            {can.createAgent ? <NewAgentButton /> : null}
            {can.createInvitation ? <InviteButton /> : null}
          </span>
        ) : null}
      </header>
      <div class="bleed">
        <MemberTable {...table} />
      </div>
    </section>
    {invitations ? <Invitations organizationId={table.organizationId} invitations={invitations} /> : null}
    {can.createInvitation ? <InviteDialog organizationId={table.organizationId} role={role} /> : null}
    {can.createAgent ? <NewAgentDialog organizationId={table.organizationId} /> : null}
  </div>
)

export const MemberTable = (props: MemberTableProps) => (
  <table class="table" id="member-table" data-list>
    <caption class="visually-hidden">Members</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Role</th>
        <th scope="col" safe>{`Joined (${viewerZoneName()})`}</th>
        <th scope="col">
          <span class="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody id="member-rows">
      {props.members.map((member) => (
        <MemberRow organizationId={props.organizationId} me={props.me} member={member} />
      ))}
    </tbody>
    <More {...props} />
  </table>
)

export const MemberRow = (props: MemberRowProps) => {
  const { member, me } = props
  return (
    <tr id={`member-${member.id}`}>
      <td data-at="title">
        <span class="row">
          <Avatar name={member.name} seed={member.id} />
          <span class="grow">
            <Name member={member} />
            {member.id === me ? (
              <>
                {' '}
                <Badge label="You" />
              </>
            ) : null}
            {member.secondFactor === false ? (
              <>
                {' '}
                <Badge label="No second factor" />
              </>
            ) : null}
            {member.principalType === 'agent' ? (
              <>
                {' '}
                <Badge label="Agent" />
                <small>Uses API keys only</small>
              </>
            ) : (
              <small class="wrap-anywhere" safe>
                {member.email}
              </small>
            )}
            <small class="narrow-only">
              Joined <Time at={member.joinedAt} form="day" />
            </small>
          </span>
        </span>
      </td>
      <td data-at="end" safe>
        {roleName(member.role)}
      </td>
      <td>
        <Time at={member.joinedAt} form="day" />
      </td>
      <td data-at="menu" class="end">
        <MemberActions {...props} />
      </td>
    </tr>
  )
}

const Name = ({ member }: { member: Member }) =>
  member.can.inspectPermissions ? (
    <a class="wrap-anywhere" href={`/settings/members/${member.id}`} safe>
      {member.name}
    </a>
  ) : (
    <span class="wrap-anywhere" safe>
      {member.name}
    </span>
  )

const More = ({ organizationId, members, nextCursor, q }: MemberTableProps) => {
  if (!nextCursor) return <></>
  const cursor = `cursor=${encodeURIComponent(nextCursor)}`
  const search = q ? `q=${encodeURIComponent(q)}&` : ''
  return (
    <MoreRows
      label="More members"
      summary={`${members.length} more loaded`}
      next={`/settings/members?${cursor}`}
      from={`/api/organizations/${organizationId}/members?limit=${membersPerPage}&${search}${cursor}`}
      columns={4}
    />
  )
}
