import type { Invitation, Member, Organization } from '#identity/types'
import { Badge } from '#views/ui/badge.tsx'
import { Avatar } from '#views/ui/avatar.tsx'
import { MoreRows } from '#views/ui/more-rows.tsx'
import { Time } from '#views/ui/time.tsx'
import { InviteButton, InviteDialog } from './invite-dialog.tsx'
import { Invitations } from './invitations.tsx'
import { MemberActs } from './member-actions.tsx'
import { NewAgentButton, NewAgentDialog } from '../../api-keys/new-agent-dialog.tsx'
import { roleName } from '../roles.ts'

export interface MembersProps {
  organization: Organization
  /** The reader's own id. */
  me: string
  members: Member[]
  nextCursor: string | null
  /** Null for readers who may not invite. */
  invitations: Invitation[] | null
  /** The roles that the reader may give. */
  grantable: Member['role'][]
}

/** Who belongs to the organization, who is invited, and what may be done about it. */
export const Members = (props: MembersProps) => (
  <div class="page stack" style="--measure: 60rem; --gap: var(--space-8)">
    <section class="section" aria-labelledby="members">
      <header>
        <h2 id="members">Members</h2>
        {props.invitations ? (
          <span class="row">
            <NewAgentButton />
            <InviteButton />
          </span>
        ) : null}
      </header>
      <div class="bleed">
        <Table {...props} />
      </div>
    </section>
    {props.invitations ? <Invitations organization={props.organization} invitations={props.invitations} /> : null}
    {props.invitations ? <InviteDialog organization={props.organization} grantable={props.grantable} /> : null}
    {props.invitations ? <NewAgentDialog organization={props.organization} /> : null}
  </div>
)

const Table = (props: MembersProps) => (
  <table class="table" data-list>
    <caption class="visually-hidden">Members</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Role</th>
        <th scope="col">Joined (UTC)</th>
        <th scope="col">
          <span class="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody id="member-rows">
      {props.members.map((member) => (
        <Row {...props} member={member} />
      ))}
    </tbody>
    <More {...props} />
  </table>
)

export type OfMember = MembersProps & { member: Member }

const Row = (props: OfMember) => {
  const { member, me } = props
  return (
    <tr id={`member-${member.id}`}>
      <td data-at="title">
        <span class="row">
          <Avatar name={member.name} seed={member.id} />
          <span class="grow">
            <Name {...props} />
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
              Joined <Time at={member.joinedAt} zone="UTC" form="day" />
            </small>
          </span>
        </span>
      </td>
      <td data-at="end" safe>
        {roleName(member.role)}
      </td>
      <td>
        <Time at={member.joinedAt} zone="UTC" form="day" />
      </td>
      <td data-at="menu" class="end">
        <MemberActs {...props} />
      </td>
    </tr>
  )
}

/** Leads to what a member may, for themselves and for admins. */
const Name = ({ member, me, invitations }: OfMember) =>
  invitations !== null || member.id === me ? (
    <a class="wrap-anywhere" href={`/settings/members/${member.id}`} safe>
      {member.name}
    </a>
  ) : (
    <span class="wrap-anywhere" safe>
      {member.name}
    </span>
  )

const More = ({ members, nextCursor }: MembersProps) => {
  if (!nextCursor) return <></>
  const next = `/settings/members?cursor=${encodeURIComponent(nextCursor)}`
  return <MoreRows label="More members" summary={`${members.length} more shown`} next={next} columns={4} />
}
