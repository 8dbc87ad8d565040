import type { Invitation } from '#identity/types'
import { Badge } from '#views/ui/marks.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { KeptMailNote } from '../../accounts/kept-mail-note.tsx'
import { roleName } from '../roles.ts'

interface InvitationsProps {
  organizationId: string
  invitations: Invitation[]
}

export const Invitations = ({ organizationId, invitations }: InvitationsProps) => (
  <section class="section" id="pending-invitations" aria-labelledby="invitations">
    <header>
      <h2 id="invitations">Invitations</h2>
    </header>
    {invitations.length === 0 ? (
      <p class="muted">No pending invitations.</p>
    ) : (
      <ul class="list">
        {invitations.map((invitation) => (
          <InvitationRow organizationId={organizationId} invitation={invitation} />
        ))}
      </ul>
    )}
    {invitations.some(({ delivery }) => delivery?.state === 'kept') ? <KeptMailNote /> : null}
  </section>
)

interface InvitationRowProps {
  organizationId: string
  invitation: Invitation
}

export const InvitationRow = ({ organizationId, invitation }: InvitationRowProps) => (
  <li id={`invitation-${invitation.id}`}>
    <span class="grow">
      <span class="wrap-anywhere" safe>
        {invitation.email}
      </span>
      <small safe>{by(invitation)}</small>
      <Problem invitation={invitation} />
    </span>
    <State invitation={invitation} />
    <Actions organizationId={organizationId} invitation={invitation} />
  </li>
)

const by = ({ role, invitedBy }: Invitation): string =>
  invitedBy ? `${roleName(role)}, invited by ${invitedBy.name}` : roleName(role)

const Problem = ({ invitation: { delivery } }: { invitation: Invitation }) =>
  delivery?.problem ? (
    <small class="wrap-anywhere" safe>
      {`The mail server responded: ${delivery.problem}`}
    </small>
  ) : (
    <></>
  )

const State = ({ invitation: { expired, expiresAt, delivery } }: { invitation: Invitation }) => {
  if (expired) return <Badge label="Expired" tone="warning" />
  if (delivery?.state === 'refused') return <Badge label="Not delivered" tone="danger" icon="circle-alert" />
  return (
    <small class="muted">
      Until <Time at={expiresAt} form="day" />
    </small>
  )
}

const Actions = ({ organizationId, invitation }: InvitationRowProps) => {
  const { resend, delete: cancel } = invitation.can
  if (!resend && !cancel) return <></>
  const route = `/api/organizations/${organizationId}/invitations/${invitation.id}`
  const menu = `invitation-menu-${invitation.id}`
  const action = { 'hx-swap': 'outerMorph', popovertarget: menu, popovertargetaction: 'hide' } as const
  return (
    <RowMenu id={menu} label={`More about ${invitation.email}`}>
      {resend ? (
        <MenuItem label="Resend" icon="send" hx-post={`${route}/resend`} hx-target="closest li" {...action} />
      ) : null}
      {cancel ? (
        <MenuItem
          label="Cancel invitation"
          icon="undo-2"
          hx-delete={route}
          hx-target="#pending-invitations"
          {...action}
        />
      ) : null}
    </RowMenu>
  )
}
