import { z } from 'zod'
import { atLeast, type Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import {
  MemberPermissions,
  type MemberPermissionsProps,
} from '#views/identity/organizations/members/member-permissions.tsx'
import { Member } from '../../contract.ts'
import { findMember } from '../members/members.ts'
import { PermissionInspection } from './contract.ts'
import { listOffered } from '../bindable-resources/bindable-resources.ts'
import { listResources } from '../resource-roles/resource-roles.ts'
import { explainPermissions } from './inspect.ts'

export const memberPermissionsPage = page({
  path: '/settings/members/:userId',
  permission: 'role:viewer',
  frame: 'settings',
  title: ({ member }: MemberPermissionsProps) => `Permissions of ${member.name}`,
  screen: 'permissions',
  query: z.object({ userId: Id }),
  load: async (call): Promise<MemberPermissionsProps> => {
    const { organization, permissions } = call.actor
    const { userId } = call.input
    if (!organization) throw notFound('organization')
    const inspected = await explainPermissions(call, { userId, organizationId: organization.id })
    const member = Member.parse(await findMember(call.db, { id: organization.id, userId }))
    const { entries, sources } = PermissionInspection.parse(inspected)
    const canEdit = atLeast(organization.role, 'admin') && (member.role !== 'owner' || organization.role === 'owner')
    const limits = { id: organization.id, userId }
    return {
      ...(await loadBrands(call, limits)),
      canLimit: canEdit && !atLeast(member.role, 'admin'),
      organizationId: organization.id,
      member,
      entries,
      overrides: sources.userOverrides,
      canEdit,
      held: entries.flatMap(({ permission }) => (permissions.has(permission) ? [permission] : [])),
    }
  },
  view: (shown) => <MemberPermissions {...shown} />,
})

/** The most that one form can send. */
const maxBrands = 100

/** Resources that a role can be limited to, with the member’s role there. */
async function loadBrands({ db, actor }: Call<unknown, Actor>, member: { id: string; userId: string }) {
  const [all, limits] = await Promise.all([listOffered(db, actor), listResources({ db, actor }, member)])
  const roleIn = (id: string) => limits.find((each) => each.id === id)?.role ?? null
  return { brands: all.slice(0, maxBrands).map((each) => ({ ...each, role: roleIn(each.id) })) }
}
