import { and, asc, eq, ne, notExists, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { requireActiveOrganization } from '../organizations.ts'
import { grantServiceAccess, revokeServiceAccess } from '../registry/service-access.ts'
import { serviceAccess, services } from '../schema.ts'
import { allowedApps, lockEntitlement, countPaidApps } from './entitlements.ts'
import { appNotCovered, appsExceeded } from './exceeded.ts'

type ActorCall = Call<unknown, Actor>

/** Which app in which organization. */
interface AppRef {
  id: string
  serviceId: string
}

/** What every workspace has and none gives up: the platform's own services that cost nothing. */
const removable = sql<boolean>`NOT (${services.firstParty} AND NOT ${services.paid})`

const inWorkspaces = sql`'organization' = ANY (${services.supportedContexts})`

const columns = {
  id: services.id,
  slug: services.slug,
  name: services.name,
  description: services.description,
  firstParty: services.firstParty,
  paid: services.paid,
  removable,
}

/** The apps of an organization by name. Throws 404 for any but the active one. */
export async function listApps({ db, actor }: Pick<ActorCall, 'db' | 'actor'>, organizationId: string) {
  requireActiveOrganization(actor, organizationId)
  const items = await selectInstalled(db, organizationId).orderBy(asc(services.name), asc(services.id))
  return { items, nextCursor: null }
}

/** Apps that an organization could install, by name: at most a hundred. */
export const listOfferedApps = (db: Database, organizationId: string) =>
  db
    .select(columns)
    .from(services)
    .where(and(eq(services.surfaceKind, 'app'), inWorkspaces, notExists(selectAccess(db, organizationId))))
    .orderBy(asc(services.name), asc(services.id))
    .limit(100)

/**
 * Installs an app: its members can work in it from their next request on. Throws 404 for any but the active
 * organization, 422 for no app, 409 for one that is installed, and 402 past what was paid for (IDN-44).
 */
export async function installApp(call: ActorCall, { id: organizationId, serviceId }: AppRef) {
  const { db, actor } = call
  requireActiveOrganization(actor, organizationId)
  const app = await findInstallableApp(db, serviceId)
  if ((await selectInstalled(db, organizationId, serviceId)).length > 0) throw alreadyInstalled(app)
  if (app.paid) await requireEntitlement(db, organizationId, app)
  const isNew = await grantServiceAccess(call, { organizationId, service: app, by: actor.principal.id })
  if (!isNew) throw alreadyInstalled(app)
  return findApp(db, organizationId, serviceId)
}

/**
 * Removes an app: nobody and no key works in it from the next request on. Throws 404 for what isn't installed, 409 for
 * what every workspace has.
 */
export async function removeApp(call: ActorCall, { id: organizationId, serviceId }: AppRef): Promise<void> {
  requireActiveOrganization(call.actor, organizationId)
  const app = await findApp(call.db, organizationId, serviceId)
  if (!app.removable) throw conflict('app_kept', `Every workspace has ${app.name}: it costs nothing and stays.`)
  await revokeServiceAccess(call, { organizationId, service: app })
}

const alreadyInstalled = ({ name }: App) => conflict('already_installed', `${name} is installed already.`)

type App = Pick<typeof services.$inferSelect, 'id' | 'slug' | 'name' | 'paid'>

/** What can be installed. Throws 422 for anything else. */
async function findInstallableApp(db: Database, id: string): Promise<App> {
  const [app] = await db
    .select()
    .from(services)
    .where(and(eq(services.id, id), ne(services.surfaceKind, 'internal'), inWorkspaces))
  if (!app) throw invalid([{ path: 'serviceId', message: 'Must be the id of an app for workspaces.' }])
  return app
}

/** Of two who install at the same time, the second waits for the first. */
async function requireEntitlement(db: Database, organizationId: string, app: App): Promise<void> {
  const entitlement = await lockEntitlement(db, organizationId)
  const { mode, appSlugs } = entitlement
  const used = await countPaidApps(db, organizationId)
  if (mode === 'count' && appSlugs && !appSlugs.includes(app.slug)) throw appNotCovered(entitlement, app, used)
  const allowed = allowedApps(entitlement)
  if (allowed !== null && used >= allowed) throw appsExceeded(entitlement, app, used)
}

async function findApp(db: Database, organizationId: string, serviceId: string) {
  const [app] = await selectInstalled(db, organizationId, serviceId)
  if (!app) throw notFound('app')
  return app
}

const selectInstalled = (db: Database, organizationId: string, serviceId?: string) =>
  db
    .select({ ...columns, installedAt: serviceAccess.grantedAt })
    .from(serviceAccess)
    .innerJoin(services, eq(services.id, serviceAccess.serviceId))
    .where(
      and(
        eq(serviceAccess.organizationId, organizationId),
        ne(services.surfaceKind, 'internal'),
        serviceId === undefined ? undefined : eq(services.id, serviceId),
      ),
    )
    .$dynamic()

const selectAccess = (db: Database, organizationId: string) =>
  db
    .select({ id: serviceAccess.serviceId })
    .from(serviceAccess)
    .where(and(eq(serviceAccess.serviceId, services.id), eq(serviceAccess.organizationId, organizationId)))
