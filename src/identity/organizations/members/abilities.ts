import { atLeast, roles, type Actor, type Role } from '#lib/actor.ts'
import type { Member } from '../../contract.ts'

/** The actor's role in an organization, null where it isn't the active one or a key calls. */
export const roleIn = ({ organization, tokenType }: Actor, organizationId: string): Role | null =>
  organization?.id === organizationId && tokenType !== 'api_key' ? organization.role : null

const isAdmin = (own: Role | null): boolean => own !== null && atLeast(own, 'admin')

/** Admins manage everyone but owners, owners everyone (IDN-10). */
const canManage = (own: Role | null, role: Role): boolean => isAdmin(own) && (role !== 'owner' || own === 'owner')

type Described = Pick<Member, 'id' | 'role' | 'principalType'>

export function describeMember<Row extends Described>(member: Row, { id, own }: { id: string; own: Role | null }) {
  const isSelf = member.id === id
  const update = canManage(own, member.role)
  const isAssignable = (role: Role) => role !== 'owner' || (own === 'owner' && member.principalType !== 'agent')
  return {
    ...member,
    assignableRoles: update ? roles.filter(isAssignable) : [],
    can: {
      update,
      remove: own !== null && (isSelf || update),
      // Owners are people.
      transferOwnership: own === 'owner' && !isSelf && member.role !== 'owner' && member.principalType === 'user',
      inspectPermissions: own !== null && (isSelf || isAdmin(own)),
    },
  }
}

export const memberListActions = (own: Role | null) => ({ createInvitation: isAdmin(own), createAgent: isAdmin(own) })

export const describeInvitation = <Row extends { role: Role }>(invitation: Row, own: Role | null) => ({
  ...invitation,
  can: { resend: canManage(own, invitation.role), delete: canManage(own, invitation.role) },
})
