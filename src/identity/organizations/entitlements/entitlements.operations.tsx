import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { billingPlane } from '../billing-plane.ts'
import { requireActiveOrganization } from '../organizations.ts'
import * as apps from './apps.ts'
import { AppChoice, EntitlementEdit, EntitlementState, InstalledApp, Seats } from './contract.ts'
import { entitlementOf, getEntitlementState, storeEntitlement, seatsOf } from './entitlements.ts'

const back = { next: '/settings/organization' }
const one = z.object({ id: Id })

export const getEntitlement = operation({
  route: 'GET /api/organizations/:id/entitlement',
  summary: 'Get the plan and usage of an organization',
  permission: 'role:viewer',
  input: one,
  output: EntitlementState,
  run: ({ db, actor, input }) => getEntitlementState(db, requireActiveOrganization(actor, input.id).id),
})

export const listInstalledApps = operation({
  route: 'GET /api/organizations/:id/apps',
  summary: 'List installed apps',
  permission: 'role:viewer',
  input: one,
  output: listOf(InstalledApp),
  run: (call) => apps.listApps(call, call.input.id),
})

export const installApp = operation({
  route: 'POST /api/organizations/:id/apps',
  summary: 'Install an app',
  permission: 'role:admin',
  input: AppChoice,
  output: InstalledApp,
  creates: true,
  problems: { already_installed: 409, entitlement_exceeded: 402 },
  run: async (call) => {
    const app = await apps.installApp(call, call.input)
    return reply(201, app, { ...back, toast: `${app.name} installed` })
  },
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
    return reply(204, null, { ...back, toast: 'App removed' })
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
    return getEntitlementState(db, id)
  },
})
