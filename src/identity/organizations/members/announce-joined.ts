import type { Database } from '#lib/db.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import { invitationKind } from '../../notification-kinds.ts'

interface Joined {
  id: string
  organizationId: string
  invitedBy: string | null
}

/** On the transaction of the acceptance, to the person who invited. */
export async function announceJoined(
  db: Database,
  { id, organizationId, invitedBy }: Joined,
  { name, email }: { name: string; email: string },
): Promise<void> {
  if (invitedBy === null) return
  await raiseAction(db, {
    kind: invitationKind,
    surface: 'notice',
    organizationId,
    personId: invitedBy,
    cause: `identity.invitation:${id}`,
    title: `${name} joined`,
    reason: `${email} accepted your invitation.`,
    href: '/settings/members',
    actions: [{ label: 'See members', method: 'GET', href: '/settings/members' }],
  })
}
