import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { z } from 'zod'
import { resolveUrls } from '../../oauth/services.ts'
import { addApp, chooseApps, dropApp } from './apps.ts'
import { listCatalogApps } from './catalog.ts'
import {
  AppInstallation,
  AppsChoice,
  CatalogChoice,
  ChosenApps,
  EntitlementState,
  InstallationState,
  OrganizationCatalog,
} from './contract.ts'
import { getEntitlementState } from './entitlements.ts'

/** The dashboard authorizes its callers by its own permissions, which keys can have. */
const forDashboard = { permission: 'service', callers: ['platform-dashboard-api'] } as const

export const listCatalogForDashboard = operation({
  route: 'GET /api/internal/catalog',
  summary: 'List the apps of an organization’s catalog',
  ...forDashboard,
  input: CatalogChoice,
  output: OrganizationCatalog,
  run: async (call) => {
    const { organizationId } = call.input
    const [items, plan] = await Promise.all([
      listCatalogApps(call.db, organizationId ?? null),
      organizationId === undefined ? null : getEntitlementState(call.db, organizationId),
    ])
    return { items: items.map((entry) => resolveUrls(call, entry)), nextCursor: null, plan }
  },
})

export const getEntitlementForDashboard = operation({
  route: 'GET /api/internal/organizations/:id/entitlement',
  summary: 'Get an organization’s plan and usage',
  ...forDashboard,
  input: z.object({ id: Id }),
  output: EntitlementState,
  run: ({ db, input }) => getEntitlementState(db, input.id),
})

export const updateInstallation = operation({
  route: 'PUT /api/internal/organizations/:id/apps/:serviceId',
  summary: 'Install or uninstall an organization’s app',
  ...forDashboard,
  input: AppInstallation,
  output: InstallationState,
  problems: { already_installed: 409, app_not_removable: 409, entitlement_exceeded: 402 },
  run: async (call) => {
    const { id: organizationId, serviceId, installed, by } = call.input
    const change = { organizationId, serviceId, by }
    await (installed ? addApp(call, change) : dropApp(call, change))
    return { installed }
  },
})

export const chooseInstallations = operation({
  route: 'PUT /api/internal/organizations/:id/apps',
  summary: 'Set an organization’s apps',
  ...forDashboard,
  input: AppsChoice,
  output: ChosenApps,
  problems: { already_installed: 409, app_not_removable: 409, entitlement_exceeded: 402 },
  run: async (call) => ({ apps: await chooseApps(call, call.input) }),
})
