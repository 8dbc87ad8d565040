import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { getAccess } from './access.ts'
import {
  InspectionQuery,
  OrganizationAccess,
  OverrideDraft,
  PermissionInspection,
  PermissionOverride,
} from './contract.ts'
import { explainPermissions } from './inspect.ts'
import * as overrides from './overrides.ts'

export const inspectPermissions = operation({
  route: 'GET /api/users/:userId/permissions',
  summary: 'Explain a member’s permissions',
  permission: 'signed-in',
  personal: false,
  input: InspectionQuery,
  output: PermissionInspection,
  problems: { workspace_suspended: 403, second_factor_needed: 403, own_sign_in_required: 403 },
  run: (call) => explainPermissions(call, call.input),
})

export const readOrganizationAccess = operation({
  route: 'GET /api/organizations/:id/access',
  summary: 'Get your permissions in an organization',
  permission: 'signed-in',
  personal: false,
  input: z.object({ id: Id }),
  output: OrganizationAccess,
  problems: { workspace_suspended: 403, second_factor_needed: 403, own_sign_in_required: 403 },
  run: (call) => getAccess(call, call.input.id),
})

export const listOverrides = operation({
  route: 'GET /api/organizations/:id/members/:userId/overrides',
  summary: 'List permission overrides of a member',
  permission: 'role:admin',
  input: z.object({ id: Id, userId: Id }),
  output: listOf(PermissionOverride),
  run: (call) => overrides.listOverrides(call, call.input),
})

const back = (userId: string) => `/settings/members/${userId}`

export const createOverride = operation({
  route: 'POST /api/organizations/:id/members/:userId/overrides',
  summary: 'Create a permission override',
  permission: 'role:admin',
  input: OverrideDraft,
  output: PermissionOverride,
  creates: true,
  problems: { override_exists: 409 },
  run: async (call) => {
    const override = await overrides.addOverride(call, call.input)
    const toast = override.effect === 'grant' ? 'Permission granted' : 'Permission denied'
    return reply(201, override, { next: back(call.input.userId), toast })
  },
})

export const deleteOverride = operation({
  route: 'DELETE /api/organizations/:id/members/:userId/overrides/:overrideId',
  summary: 'Delete a permission override',
  permission: 'role:admin',
  input: z.object({ id: Id, userId: Id, overrideId: Id }),
  output: z.null(),
  run: async (call) => {
    await overrides.removeOverride(call, call.input)
    return reply(204, null, { next: back(call.input.userId), toast: 'Override removed' })
  },
})
