import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import {
  MemberPermissions,
  type MemberPermissionsProps,
} from '#views/identity/organizations/members/member-permissions.tsx'
import { explainPermissions } from '../permissions/permissions.operations.tsx'
import { listMemberResources } from '../resource-roles/resource-roles.operations.tsx'

export const memberPermissionsPage = page({
  path: '/settings/members/:userId',
  permission: 'role:viewer',
  frame: 'settings',
  header: 'own',
  title: ({ member }: MemberPermissionsProps) => `Permissions of ${member.name}`,
  screen: 'permissions',
  query: z.object({ userId: Id }),
  load: async ({ ask, actor: { organization }, input: { userId } }): Promise<MemberPermissionsProps> => {
    if (!organization) throw notFound('organization')
    const organizationId = organization.id
    const [inspection, resources] = await Promise.all([
      ask(explainPermissions, { userId, organizationId }),
      ask(listMemberResources, { id: organizationId, userId }),
    ])
    if (!inspection.member) throw notFound('member')
    return { organizationId, member: inspection.member, inspection, resources }
  },
  view: (props) => <MemberPermissions {...props} />,
})
