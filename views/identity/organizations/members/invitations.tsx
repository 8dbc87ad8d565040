import type { Invitation } from '#identity/types'
import { Icon } from '#views/ui/icon.tsx'
import { StatusMark } from '#views/ui/marks.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Time, timeText, viewerZone } from '#views/ui/time.tsx'
import { KeptMailNote } from '../../accounts/kept-mail-note.tsx'
import { roleName } from '../roles.ts'

interface InvitationsProps {
  organizationId: string
  me: string
  invitations: Invitation[]
}

const columns = 7

/** Rows of the table of members. */
export const Invitations = ({ invitations, ...list }: InvitationsProps) => (
  <tbody id="pending-invitations">
    {invitations.length > 0 ? (
      <tr data-group>
        <th colspan={columns} scope="colgroup">
          Invited <small class="muted">{invitations.length}</small>
        </th>
      </tr>
    ) : null}
    {invitations.map((invitation) => (
      <InvitationRow {...list} invitation={invitation} />
    ))}
    {invitations.some(({ delivery }) => delivery?.state === 'kept') ? (
      <tr data-group>
        <td colspan={columns} data-at="title">
          <KeptMailNote />
        </td>
      </tr>
    ) : null}
  </tbody>
)

interface InvitationRowProps {
  organizationId: string
  me: string
  invitation: Invitation
}

export const InvitationRow = ({ organizationId, me, invitation }: InvitationRowProps) => (
  <tr id={`invitation-${invitation.id}`}>
    <td data-at="lead">
      <span class="avatar">
        <Icon name="mail" />
      </span>
    </td>
    <td data-at="title">
      <span class="wrap-anywhere" safe>
        {invitation.email}
      </span>
      <small class="wrap-anywhere" safe>
        {noteOn(invitation, me)}
      </small>
    </td>
    <td safe>{roleName(invitation.role)}</td>
    <td data-at="sub">
      <span class="narrow-only" safe>{`${roleName(invitation.role)} · `}</span>
      <span class="muted">All brands</span>
      <div class="narrow-only">
        <State invitation={invitation} />
      </div>
    </td>
    <td>
      <State invitation={invitation} />
    </td>
    <td data-at="time" class="muted">
      {invitation.expired ? null : 'Expires '}
      <Time at={invitation.expiresAt} form="day" />
    </td>
    <td data-at="menu" class="end">
      <Actions organizationId={organizationId} invitation={invitation} />
    </td>
  </tr>
)

function noteOn({ invitedBy, createdAt, delivery }: Invitation, me: string): string {
  if (delivery?.problem) return `The mail server responded: ${delivery.problem}`
  const who = invitedBy && (invitedBy.id === me ? 'By you, ' : `By ${invitedBy.name}, `)
  return `${who ?? ''}${timeText(createdAt, viewerZone(), 'day')}`
}

const State = ({ invitation: { expired, delivery } }: { invitation: Invitation }) => {
  if (expired) return <StatusMark state="waiting" icon="clock" word="Expired" />
  if (delivery?.state === 'refused') return <StatusMark state="failed" icon="circle-alert" word="Not delivered" />
  if (delivery?.state === 'waiting') return <StatusMark state="draft" icon="hourglass" word="Sending" />
  if (delivery?.state === 'handed') return <StatusMark state="draft" icon="send" word="Handed over" />
  return <StatusMark state="scheduled" icon="send" word="Sent" />
}

const Actions = ({ organizationId, invitation }: Pick<InvitationRowProps, 'organizationId' | 'invitation'>) => {
  const { resend, delete: cancel } = invitation.can
  if (!resend && !cancel) return <></>
  const route = `/api/organizations/${organizationId}/invitations/${invitation.id}`
  const menu = `invitation-menu-${invitation.id}`
  const action = { 'hx-swap': 'outerMorph', popovertarget: menu, popovertargetaction: 'hide' } as const
  return (
    <RowMenu id={menu} label={`More about ${invitation.email}`}>
      {resend ? (
        <MenuItem label="Resend" icon="send" hx-post={`${route}/resend`} hx-target="closest tr" {...action} />
      ) : null}
      {cancel ? (
        <MenuItem
          label="Cancel invitation"
          icon="undo-2"
          danger
          hx-delete={route}
          hx-confirm={`Cancel the invitation of ${invitation.email}? Its link stops working.`}
          hx-target="#pending-invitations"
          {...action}
        />
      ) : null}
    </RowMenu>
  )
}
