import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { MemberPage, type MemberPageProps } from '#views/identity/organizations/members/member-page.tsx'
import { getMember } from './member.operations.tsx'
import { explainPermissions } from '../permissions/permissions.operations.tsx'
import { listMemberResources } from '../resource-roles/resource-roles.operations.tsx'

export const memberPage = page({
  path: '/settings/members/:userId',
  permission: 'role:viewer',
  frame: 'settings',
  header: 'own',
  title: ({ member }: MemberPageProps) => member.name,
  screen: 'permissions',
  query: z.object({ userId: Id }),
  load: async ({ ask, actor: { organization, principal }, input: { userId } }): Promise<MemberPageProps> => {
    if (!organization) throw notFound('organization')
    const { id } = organization
    const [member, inspection, resources] = await Promise.all([
      ask(getMember, { id, userId }),
      ask(explainPermissions, { userId, organizationId: id }),
      ask(listMemberResources, { id, userId }),
    ])
    return { organizationId: id, me: principal.id, member, inspection, resources }
  },
  view: (props) => <MemberPage {...props} />,
})
