import { z } from 'zod'
import { atLeast } from '#lib/actor.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { MemberPermissions, type MemberPermissionsProps } from '#views/identity/member-permissions.tsx'
import { Member } from '../contract.ts'
import { findMember } from '../members/members.ts'
import { PermissionInspection } from './contract.ts'
import { inspect } from './inspect.ts'

export const memberPermissionsPage = page({
  path: '/settings/members/:userId',
  permission: 'role:viewer',
  frame: 'settings',
  title: ({ member }: MemberPermissionsProps) => `What ${member.name} may`,
  screen: 'permissions',
  query: z.object({ userId: Id }),
  load: async (call): Promise<MemberPermissionsProps> => {
    const { organization, permissions } = call.actor
    const { userId } = call.input
    if (!organization) throw notFound('organization')
    const inspected = await inspect(call, { userId, organizationId: organization.id })
    const member = Member.parse(await findMember(call.db, { id: organization.id, userId }))
    const { entries, sources } = PermissionInspection.parse(inspected)
    const mayEdit = atLeast(organization.role, 'admin') && (member.role !== 'owner' || organization.role === 'owner')
    return {
      organizationId: organization.id,
      member,
      entries,
      overrides: sources.userOverrides,
      mayEdit,
      held: entries.flatMap(({ permission }) => (permissions.has(permission) ? [permission] : [])),
    }
  },
  view: (shown) => <MemberPermissions {...shown} />,
})
