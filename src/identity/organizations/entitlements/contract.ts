import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { CatalogService } from '../../contract/services.ts'

const appSlug = z.string().regex(/^[a-z0-9][a-z0-9-]{1,62}$/, 'Must be the slug of an app, such as platform-pay.')

export const terms = {
  mode: z.enum(['count', 'all', 'free']).describe('`count`: a number of paid apps; `all`: every app; `free`: none.'),
  paidAppCount: z.number().int().min(0).max(1000).optional().describe('The number of paid apps in `count` mode.'),
  appSlugs: z.array(appSlug).max(100).optional().describe('The only paid apps that are included. Defaults to any.'),
  seats: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('The number of people and agents. Defaults to unlimited.'),
  standing: z
    .enum(['unpaid', 'ended'])
    .optional()
    .describe('Why less is included than was bought: an unpaid invoice, or a subscription that has ended.'),
}

/** Third-party apps don't count (IDN-44). */
export const Entitlement = z
  .object(terms)
  .refine(({ mode, paidAppCount, appSlugs }) => mode !== 'count' || paidAppCount !== undefined || appSlugs, {
    path: ['paidAppCount'],
    message: 'Required in count mode.',
  })
export type Entitlement = z.infer<typeof Entitlement>

export const EntitlementEdit = Entitlement.safeExtend({ id: Id })

const used = z.number().int()
const limit = z.number().int().nullable()

/** Each person and each agent takes a seat. Null means unlimited. */
export const Seats = z.object({ used, paid: limit, left: limit })
export type Seats = z.infer<typeof Seats>

/** `used`, `allowed` and `left` are numbers of paid apps; null means unlimited. */
export const EntitlementState = z.object({ ...terms, used, allowed: limit, left: limit, seats: Seats })
export type EntitlementState = z.infer<typeof EntitlementState>

export const InstalledApp = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  icon: z.string().nullable().describe('A symbol of the icon sprite; null for the icon of apps without one.'),
  firstParty: z.boolean(),
  paid: z.boolean().describe('Whether the app counts toward the plan.'),
  removable: z.boolean().describe('False for apps that every organization has.'),
  installedAt: Timestamp,
})
export type InstalledApp = z.output<typeof InstalledApp>

export const AvailableApp = InstalledApp.omit({ installedAt: true })
export type AvailableApp = z.output<typeof AvailableApp>

export const InstalledApps = listOf(InstalledApp).extend({
  can: z.object({ install: z.boolean(), remove: z.boolean() }).describe('The actions that you can perform on apps.'),
})
export type InstalledApps = z.output<typeof InstalledApps>

/** An app as the dashboard's catalog gets it. */
export const CatalogApp = CatalogService.extend({
  removable: z.boolean(),
  hasPermissions: z.boolean().describe('Whether members need a permission of the service to use it.'),
})
export type CatalogApp = z.output<typeof CatalogApp>

export const OrganizationCatalog = listOf(CatalogApp).extend({
  plan: EntitlementState.nullable().describe('Null without an organization.'),
})

export const CatalogChoice = z.object({
  organizationId: Id.optional().describe('Without it, the apps for personal accounts.'),
})

export const AppInstallation = z.object({
  id: Id,
  serviceId: Id,
  installed: z.boolean(),
  by: Id.describe('The person who installs or removes it.'),
})

export const AppsChoice = z.object({
  id: Id,
  apps: z.array(Id).max(100, 'Must have at most 100 apps.'),
  by: Id.describe('The person who chooses.'),
})

/** The IDs of the installed apps. */
export const ChosenApps = z.object({ apps: z.array(Id) })

export const InstallationState = z.object({ installed: z.boolean() })

export const AppChoice = z.object({ id: Id, serviceId: Id })
