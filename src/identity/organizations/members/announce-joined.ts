import type { Role } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import { invitationKind } from '../../notification-kinds.ts'

interface Joined {
  id: string
  organizationId: string
  invitedBy: string | null
  role: Role
}

/**
 * On the transaction of the acceptance, to the person who invited. Without the name and address of the member, whose
 * account can be erased before the notice is.
 */
export async function announceJoined(
  db: Database,
  { id, organizationId, invitedBy, role }: Joined,
  userId: string,
): Promise<void> {
  if (invitedBy === null) return
  const href = `/settings/members/${userId}`
  await raiseAction(db, {
    kind: invitationKind,
    surface: 'notice',
    organizationId,
    personId: invitedBy,
    cause: `identity.invitation:${id}`,
    title: 'Your invitation was accepted',
    reason: `The person joined as ${role}.`,
    href,
    actions: [{ label: 'See who joined', method: 'GET', href }],
  })
}
