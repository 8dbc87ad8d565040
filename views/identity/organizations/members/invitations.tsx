import type { Invitation, Organization } from '#identity/types'
import { Badge } from '#views/ui/badge.tsx'
import { MenuItem, RowMenu } from '#views/ui/menu.tsx'
import { Time } from '#views/ui/time.tsx'
import { KeptMailNote } from '../../accounts/kept-mail-note.tsx'
import { roleName } from '../roles.ts'

interface InvitationsProps {
  organization: Organization
  invitations: Invitation[]
}

/** Who was asked and has not come yet. */
export const Invitations = ({ organization, invitations }: InvitationsProps) => (
  <section class="section" aria-labelledby="invitations">
    <header>
      <h2 id="invitations">Invitations</h2>
    </header>
    {invitations.length === 0 ? (
      <p class="muted">No pending invitations.</p>
    ) : (
      <ul class="list">
        {invitations.map((invitation) => (
          <Line organization={organization} invitation={invitation} />
        ))}
      </ul>
    )}
    {invitations.some(({ delivery }) => delivery?.state === 'kept') ? <KeptMailNote /> : null}
  </section>
)

const Line = ({ organization, invitation }: { organization: Organization; invitation: Invitation }) => (
  <li>
    <span class="grow">
      <span class="wrap-anywhere" safe>
        {invitation.email}
      </span>
      <small safe>{by(invitation)}</small>
      <Problem invitation={invitation} />
    </span>
    <State invitation={invitation} />
    <Acts organization={organization} invitation={invitation} />
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
      Until <Time at={expiresAt} zone="UTC" form="day" />
    </small>
  )
}

const Acts = ({ organization, invitation }: { organization: Organization; invitation: Invitation }) => {
  const address = `/api/organizations/${organization.id}/invitations/${invitation.id}`
  const menu = `invitation-${invitation.id}`
  const taken = { 'hx-swap': 'none', popovertarget: menu, popovertargetaction: 'hide' } as const
  return (
    <RowMenu id={menu} label={`More about ${invitation.email}`}>
      <MenuItem label="Resend" icon="send" hx-post={`${address}/resend`} {...taken} />
      <MenuItem label="Cancel invitation" icon="undo-2" hx-delete={address} {...taken} />
    </RowMenu>
  )
}
