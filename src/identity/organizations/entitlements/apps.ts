import { and, asc, eq, ne, notExists, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { requireActiveOrganization } from '../organizations.ts'
import { grantServiceAccess, revokeServiceAccess } from '../../registry/service-access.ts'
import { serviceAccess, services } from '../../schema.ts'
import { emitInstalled, emitUninstalled } from './events.ts'
import { allowedApps, lockEntitlement, countPaidApps } from './entitlements.ts'
import { appNotCovered, appsExceeded } from './exceeded.ts'

type ActorCall = Call<unknown, Actor>

/** `id` is the organization's. */
interface AppRef {
  id: string
  serviceId: string
}

type ChangeCall = Pick<Call, 'db' | 'now' | 'events' | 'queue'>

interface AppChange {
  organizationId: string
  serviceId: string
  /** A person. */
  by: string
}

/** The platform's free services are part of every organization and can't be removed. */
const removable = sql<boolean>`NOT (${services.firstParty} AND NOT ${services.paid})`

const inWorkspaces = sql`'organization' = ANY (${services.supportedContexts})`

const columns = {
  id: services.id,
  slug: services.slug,
  name: services.name,
  description: services.description,
  icon: services.icon,
  firstParty: services.firstParty,
  paid: services.paid,
  removable,
}

/** @throws {Problem} 404 for any other organization */
export async function listApps({ db, actor }: Pick<ActorCall, 'db' | 'actor'>, organizationId: string) {
  requireActiveOrganization(actor, organizationId)
  const items = await selectInstalled(db, organizationId).orderBy(asc(services.name), asc(services.id))
  const isAdmin = isAllowed(actor, 'role:admin', '')
  return { items, nextCursor: null, can: { install: isAdmin, remove: isAdmin } }
}

/** By name; at most 100. */
export const listAvailableApps = (db: Database, organizationId: string) =>
  db
    .select(columns)
    .from(services)
    .where(and(eq(services.surfaceKind, 'app'), inWorkspaces, notExists(selectAccess(db, organizationId))))
    .orderBy(asc(services.name), asc(services.id))
    .limit(100)

/** @throws {Problem} 404, 422 for a service that isn't an app, 409 when installed, 402 beyond the plan (IDN-44) */
export async function installApp(call: ActorCall, { id: organizationId, serviceId }: AppRef) {
  const { db, actor } = call
  requireActiveOrganization(actor, organizationId)
  await addApp(call, { organizationId, serviceId, by: actor.principal.id })
  return findApp(db, organizationId, serviceId)
}

/** @throws {Problem} 422 for a service that isn't an app, 409 when installed, 402 beyond the plan (IDN-44) */
export async function addApp(
  call: ChangeCall,
  { organizationId, serviceId, by }: AppChange,
  path = 'serviceId',
): Promise<void> {
  const { db } = call
  const app = await findInstallableApp(db, serviceId, path)
  if ((await selectInstalled(db, organizationId, serviceId)).length > 0) throw alreadyInstalled(app)
  if (app.paid) await requireEntitlement(db, organizationId, app)
  if (!(await grantServiceAccess(call, { organizationId, service: app, by }))) throw alreadyInstalled(app)
  await emitInstalled(db, call, { organizationId, app, by })
}

/** Those that aren't chosen are removed first, so that a plan's limit counts the outcome. @throws {Problem} as `addApp` */
export async function chooseApps(
  call: ChangeCall,
  { id: organizationId, apps, by }: { id: string; apps: readonly string[]; by: string },
): Promise<string[]> {
  const installed = await selectInstalled(call.db, organizationId)
  for (const app of installed)
    if (app.removable && !apps.includes(app.id)) await dropApp(call, { organizationId, serviceId: app.id, by })
  for (const [at, serviceId] of apps.entries())
    if (!installed.some(({ id }) => id === serviceId))
      await addApp(call, { organizationId, serviceId, by }, `apps.${at}`)
  return (await selectInstalled(call.db, organizationId)).map(({ id }) => id)
}

/** From the next request of members and keys. @throws {Problem} 404, 409 for an app that every organization has */
export async function removeApp(call: ActorCall, { id: organizationId, serviceId }: AppRef): Promise<void> {
  requireActiveOrganization(call.actor, organizationId)
  await dropApp(call, { organizationId, serviceId, by: call.actor.principal.id })
}

/** @throws {Problem} 404, 409 for an app that every organization has */
export async function dropApp(call: ChangeCall, { organizationId, serviceId, by }: AppChange): Promise<void> {
  const app = await findApp(call.db, organizationId, serviceId)
  if (!app.removable)
    throw conflict('app_not_removable', `${app.name} is free and part of every organization, so it can’t be removed.`)
  if (await revokeServiceAccess(call, { organizationId, service: app }))
    await emitUninstalled(call.db, call, { organizationId, app, by })
}

const alreadyInstalled = ({ name }: App) => conflict('already_installed', `${name} is already installed.`)

type App = Pick<typeof services.$inferSelect, 'id' | 'slug' | 'name' | 'paid'>

/** @throws {Problem} 422 for a service that can't be installed */
async function findInstallableApp(db: Database, id: string, path: string): Promise<App> {
  const [app] = await db
    .select()
    .from(services)
    .where(and(eq(services.id, id), ne(services.surfaceKind, 'internal'), inWorkspaces))
  if (!app) throw invalid([{ path, message: 'Must be the ID of an app for organizations.' }])
  return app
}

/** Locked, so that concurrent installs are counted one after the other. @throws {Problem} 402 */
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
