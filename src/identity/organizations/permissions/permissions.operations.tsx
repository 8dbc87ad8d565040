import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { Overrides } from '#views/identity/organizations/members/overrides.tsx'
import { PermissionsOverview } from '#views/identity/organizations/members/permissions-overview.tsx'
import { getAccess } from './access.ts'
import {
  InspectionQuery,
  OrganizationAccess,
  OverrideDraft,
  PermissionInspection,
  PermissionOverride,
  PermissionOverrides,
} from './contract.ts'
import { explainMemberPermissions } from './inspect.ts'
import * as overrides from './overrides.ts'

export const explainPermissions = operation({
  route: 'GET /api/users/:userId/permissions',
  summary: 'Explain a member’s permissions',
  permission: 'signed-in',
  personal: false,
  input: InspectionQuery,
  output: PermissionInspection,
  problems: { workspace_suspended: 403, organization_requires_second_factor: 403, organization_requires_sso: 403 },
  run: (call) => explainMemberPermissions(call, call.input),
  view: (inspection) => <PermissionsOverview inspection={inspection} />,
})

export const getOrganizationAccess = operation({
  route: 'GET /api/organizations/:id/access',
  summary: 'Get your permissions in an organization',
  permission: 'signed-in',
  personal: false,
  input: z.object({ id: Id }),
  output: OrganizationAccess,
  problems: { workspace_suspended: 403, organization_requires_second_factor: 403, organization_requires_sso: 403 },
  run: (call) => getAccess(call, call.input.id),
})

export const listOverrides = operation({
  route: 'GET /api/organizations/:id/members/:userId/overrides',
  summary: 'List permission overrides of a member',
  permission: 'role:admin',
  input: z.object({ id: Id, userId: Id }),
  output: PermissionOverrides,
  run: (call) => overrides.listOverrides(call, call.input),
  view: ({ items, can }, { input: { id, userId } }) => (
    <Overrides organizationId={id} userId={userId} overrides={items} canOverride={can.override} />
  ),
})

/** An override changes the list of overrides and what follows from it. */
async function drawPermissions(call: Call<{ id: string; userId: string }>) {
  const { id: organizationId, userId } = call.input
  return <PermissionsOverview inspection={await call.ask(explainPermissions, { userId, organizationId })} />
}

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
  view: (_, call) => drawPermissions(call),
})

export const deleteOverride = operation({
  route: 'DELETE /api/organizations/:id/members/:userId/overrides/:overrideId',
  summary: 'Delete a permission override',
  permission: 'role:admin',
  input: z.object({ id: Id, userId: Id, overrideId: Id }),
  output: z.null(),
  run: async (call) => {
    await overrides.removeOverride(call, call.input)
    return reply(204, null, { next: back(call.input.userId), toast: 'Override deleted' })
  },
  view: (_, call) => drawPermissions(call),
})
