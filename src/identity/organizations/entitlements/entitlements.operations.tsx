import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { PlanSection } from '#views/identity/organizations/plan.tsx'
import { billingPlane } from './entitlements.ts'
import { updateSeatsAction } from './seats-action.ts'
import { requireActiveOrganization } from '../organizations.ts'
import * as apps from './apps.ts'
import {
  AppChoice,
  AvailableApp,
  EntitlementEdit,
  EntitlementState,
  InstalledApp,
  InstalledApps,
  Seats,
} from './contract.ts'
import { entitlementOf, getEntitlementState, storeEntitlement, seatsOf } from './entitlements.ts'

const one = z.object({ id: Id })

export const getEntitlement = operation({
  route: 'GET /api/organizations/:id/entitlement',
  summary: 'Get the plan and usage of an organization',
  permission: 'role:viewer',
  input: one,
  output: EntitlementState,
  run: ({ db, actor, input }) => getEntitlementState(db, requireActiveOrganization(actor, input.id).id),
  view: (entitlement) => <PlanSection entitlement={entitlement} />,
})

export const listInstalledApps = operation({
  route: 'GET /api/organizations/:id/apps',
  summary: 'List installed apps',
  permission: 'role:viewer',
  input: one,
  output: InstalledApps,
  run: (call) => apps.listApps(call, call.input.id),
})

export const listAvailableApps = operation({
  route: 'GET /api/organizations/:id/available-apps',
  summary: 'List apps that you can install',
  permission: 'role:admin',
  input: one,
  output: listOf(AvailableApp),
  run: async ({ db, actor, input }) => ({
    items: await apps.listAvailableApps(db, requireActiveOrganization(actor, input.id).id),
    nextCursor: null,
  }),
})

export const installApp = operation({
  route: 'POST /api/organizations/:id/apps',
  summary: 'Install an app',
  permission: 'role:admin',
  input: AppChoice,
  output: InstalledApp,
  creates: true,
  problems: { already_installed: 409, entitlement_exceeded: 402 },
  run: async (call) => reply(201, await apps.installApp(call, call.input)),
})

export const removeApp = operation({
  route: 'DELETE /api/organizations/:id/apps/:serviceId',
  summary: 'Uninstall an app',
  permission: 'role:admin',
  input: AppChoice,
  output: z.null(),
  problems: { app_not_removable: 409 },
  run: async (call) => {
    await apps.removeApp(call, call.input)
    return reply(204, null)
  },
})

export const getSeats = operation({
  route: 'GET /api/internal/organizations/:id/seats',
  summary: 'Get the seats of an organization',
  ...billingPlane,
  input: one,
  output: Seats,
  run: async ({ db, input }) => seatsOf(db, input.id, (await entitlementOf(db, input.id)).seats),
})

export const replaceEntitlement = operation({
  route: 'PUT /api/internal/organizations/:id/entitlement',
  summary: 'Replace an organization’s entitlement',
  ...billingPlane,
  input: EntitlementEdit,
  output: EntitlementState,
  run: async ({ db, input: { id, ...entitlement } }) => {
    await storeEntitlement(db, id, entitlement)
    await updateSeatsAction(db, id)
    return getEntitlementState(db, id)
  },
})
