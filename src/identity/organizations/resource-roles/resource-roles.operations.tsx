import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { MemberAccess } from '#views/identity/organizations/members/member-access.tsx'
import { MemberBrands } from '#views/identity/organizations/members/member-brands.tsx'
import { getMember } from '../members/member.operations.tsx'
import { explainPermissions } from '../permissions/permissions.operations.tsx'
import { MemberResources, MemberResourcesEdit } from './contract.ts'
import { getMemberResources, limitRole } from './resource-roles.ts'

const memberRef = z.object({ id: Id, userId: Id })

export const listMemberResources = operation({
  route: 'GET /api/organizations/:id/members/:userId/resources',
  summary: 'List the resources of a limited role',
  permission: 'role:viewer',
  input: memberRef,
  output: MemberResources,
  run: (call) => getMemberResources(call, call.input),
  view: (resources, { input: { id, userId } }) => (
    <MemberBrands organizationId={id} userId={userId} resources={resources} />
  ),
})

export const limitMember = operation({
  route: 'PUT /api/organizations/:id/members/:userId/resources',
  summary: 'Limit a member’s role to resources',
  permission: 'role:admin',
  input: MemberResourcesEdit,
  output: MemberResources,
  problems: { role_too_broad: 409 },
  run: async (call) => {
    await limitRole(call, call.input)
    const next = `/settings/members/${call.input.userId}`
    return reply(200, await getMemberResources(call, call.input), { next, toast: 'Access updated' })
  },
  // The limits also change the permissions.
  view: async (resources, call) => {
    const { id, userId } = call.input
    const [member, inspection] = await Promise.all([
      call.ask(getMember, { id, userId }),
      call.ask(explainPermissions, { userId, organizationId: id }),
    ])
    return <MemberAccess organizationId={id} member={member} resources={resources} inspection={inspection} />
  },
})
