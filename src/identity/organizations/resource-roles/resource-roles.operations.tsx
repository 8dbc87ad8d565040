import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { MemberResources, MemberResourcesEdit } from './contract.ts'
import { limitRole, listResources } from './resource-roles.ts'

export const listMemberResources = operation({
  route: 'GET /api/organizations/:id/members/:userId/resources',
  summary: 'List the resources of a limited role',
  permission: 'role:admin',
  input: z.object({ id: Id, userId: Id }),
  output: MemberResources,
  run: async (call) => ({ items: await listResources(call, call.input), nextCursor: null }),
})

export const limitMember = operation({
  route: 'PUT /api/organizations/:id/members/:userId/resources',
  summary: 'Limit a member’s role to resources',
  permission: 'role:admin',
  input: MemberResourcesEdit,
  output: MemberResources,
  problems: { role_too_wide: 409 },
  run: async (call) => {
    const items = await limitRole(call, call.input)
    const next = `/settings/members/${call.input.userId}`
    return reply(200, { items, nextCursor: null }, { next, toast: 'Access updated' })
  },
})
