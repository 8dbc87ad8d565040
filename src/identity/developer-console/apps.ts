import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound, Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { byId } from '#lib/paginate.ts'
import { slugOf } from '#lib/slug.ts'
import { claimNumberedSlug } from '../organizations/slugs/numbered.ts'
import { requireUnreserved } from '../organizations/slugs/reserved.ts'
import {
  actionDefinitions,
  developerAppKeys,
  developerAppPermissions,
  developerApps,
  developerAppScopes,
  organizations,
  serviceAccess,
  servicePermissions,
  services,
} from '../schema.ts'
import type { DeveloperAppDraft, DeveloperAppEdit, DeveloperAppRow } from './contract.ts'
import { requireDeveloperAccess } from './developer-organization.ts'

export type DeveloperCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events' | 'ownNames'>

const selectApps = (db: Database) =>
  db
    .select({
      id: developerApps.id,
      organizationId: developerApps.organizationId,
      slug: developerApps.slug,
      name: developerApps.name,
      description: developerApps.description,
      webUrl: developerApps.webUrl,
      redirectUris: developerApps.redirectUris,
      handoffUri: developerApps.handoffUri,
      permissions: sql<DeveloperAppRow['permissions']>`(
        SELECT coalesce(json_agg(json_build_object(
          'permission', ${developerAppPermissions.permission}, 'description', ${developerAppPermissions.description}
        ) ORDER BY ${developerAppPermissions.permission}), '[]')
        FROM ${developerAppPermissions} WHERE ${developerAppPermissions.appId} = ${developerApps.id})`,
      scopes: sql<string[]>`ARRAY(
        SELECT ${services.slug} || '/' || ${developerAppScopes.scope} FROM ${developerAppScopes}
        JOIN ${services} ON ${services.id} = ${developerAppScopes.serviceId}
        WHERE ${developerAppScopes.appId} = ${developerApps.id} ORDER BY 1)`,
      status: developerApps.status,
      serviceId: developerApps.serviceId,
      createdAt: developerApps.createdAt,
      publishedAt: developerApps.publishedAt,
      counts: sql<DeveloperAppRow['counts']>`json_build_object(
        'actions', (SELECT count(DISTINCT ${actionDefinitions.name}) FROM ${actionDefinitions}
          WHERE ${actionDefinitions.appId} = ${developerApps.id}),
        'keys', (SELECT count(*) FROM ${developerAppKeys} WHERE ${developerAppKeys.appId} = ${developerApps.id}),
        'organizations', (SELECT count(*) FROM ${serviceAccess} WHERE ${serviceAccess.serviceId} = ${developerApps.serviceId}))`,
    })
    .from(developerApps)
    // The join makes drizzle qualify column names with their table, which the subqueries need.
    .innerJoin(organizations, eq(organizations.id, developerApps.organizationId))
    .$dynamic()

export async function listApps(
  { db, actor }: Pick<DeveloperCall, 'db' | 'actor'>,
  page: { limit: number; cursor?: string },
) {
  const slice = byId(developerApps.id).slice(page)
  const own = eq(developerApps.organizationId, organizationOf(actor, 'role:admin'))
  const rows = await selectApps(db)
    .where(and(own, slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

/** An app of the organization. @throws {Problem} 404 for any other */
export const findApp = ({ db, actor }: Pick<DeveloperCall, 'db' | 'actor'>, id: string): Promise<DeveloperAppRow> =>
  requireApp(db, and(eq(developerApps.id, id), eq(developerApps.organizationId, organizationOf(actor, 'role:admin'))))

/** For super admins. @throws {Problem} 404 */
export const findAnyApp = (db: Database, id: string): Promise<DeveloperAppRow> =>
  requireApp(db, eq(developerApps.id, id))

async function requireApp(db: Database, which: SQL | undefined): Promise<DeveloperAppRow> {
  const [app] = await selectApps(db).where(which)
  if (!app) throw notFound('app')
  return app
}

/** Locked until the transaction ends. @throws {Problem} 404, and as `requireDeveloperAccess` */
export async function lockApp(call: DeveloperCall, id: string): Promise<DeveloperAppRow> {
  await requireDeveloperAccess(call.db, organizationOf(call.actor, 'role:admin'))
  await call.db.select({ id: developerApps.id }).from(developerApps).where(eq(developerApps.id, id)).for('update')
  return findApp(call, id)
}

/** Refuses one under review. @throws {Problem} 409 `under_review`, and as `lockApp` */
export async function lockEditableApp(call: DeveloperCall, id: string): Promise<DeveloperAppRow> {
  const app = await lockApp(call, id)
  if (app.status === 'submitted')
    throw conflict('under_review', 'The app is under review. Withdraw the submission to change it.')
  return app
}

/** @throws {Problem} 409 for a slug that is taken, 422 for unknown scopes, and as `requireDeveloperAccess` */
export async function createApp(call: DeveloperCall, draft: DeveloperAppDraft): Promise<DeveloperAppRow> {
  const { db, actor, now } = call
  const organizationId = organizationOf(actor, 'role:admin')
  await requireDeveloperAccess(db, organizationId)
  const { permissions, scopes, slug, ...fields } = draft
  requireUnreserved(call, slug, 'slug')
  requireHandoffUri(fields)
  const id = newId()
  const values = { id, organizationId, ...fields, createdBy: actor.principal.id, createdAt: now() }
  if (slug === undefined) await insertWithFreeSlug(call, values)
  else if (!(await insertWithSlug(db, values, slug))) throw slugTaken()
  await replaceDeclarations(db, id, { permissions, scopes })
  const app = await findApp(call, id)
  recordChange(db, { object: 'developer_app', id, after: recordedOf(app) })
  return app
}

type Values = Omit<typeof developerApps.$inferInsert, 'slug'>

/** False when an app or a service has the slug. */
async function insertWithSlug(db: Database, values: Values, slug: string): Promise<boolean> {
  const taken = await db.select({ id: services.id }).from(services).where(eq(services.slug, slug))
  if (taken.length > 0) return false
  const rows = await db
    .insert(developerApps)
    .values({ ...values, slug })
    .onConflictDoNothing({ target: developerApps.slug })
    .returning({ id: developerApps.id })
  return rows.length > 0
}

/** `order-desk`, `order-desk-2` …: the first slug that is neither taken nor reserved. */
async function insertWithFreeSlug({ db, ownNames }: DeveloperCall, values: Values): Promise<void> {
  const base = slugOf(values.name, 'app').replace(/^(platform-)+/, 'app-')
  const taken = [
    { table: developerApps, column: developerApps.slug },
    { table: services, column: services.slug },
  ]
  await claimNumberedSlug(db, base, { ownNames, taken, take: (slug) => insertWithSlug(db, values, slug) })
}

const slugTaken = () =>
  new Problem(409, 'slug_taken', 'Another app has this slug. Choose a different one.', {
    errors: [{ path: 'slug', message: 'Another app has this slug.' }],
  })

/** @throws {Problem} 422 for a handoff URI that isn't one of the redirect URIs */
function requireHandoffUri({ handoffUri, redirectUris }: Pick<DeveloperAppRow, 'handoffUri' | 'redirectUris'>): void {
  if (handoffUri !== null && !redirectUris.includes(handoffUri))
    throw invalid([{ path: 'handoffUri', message: 'Must exactly match one of the redirect URIs.' }])
}

/** Returns the app to draft. @throws {Problem} 404, 409 `under_review`, and as `createApp` */
export async function updateApp(call: DeveloperCall, { id, permissions, scopes, ...fields }: DeveloperAppEdit) {
  const { db } = call
  const before = await lockEditableApp(call, id)
  requireHandoffUri({ ...before, ...fields })
  await db
    .update(developerApps)
    .set({ ...fields, status: 'draft' })
    .where(eq(developerApps.id, id))
  await replaceDeclarations(db, id, { permissions, scopes })
  const after = await findApp(call, id)
  recordChange(db, { object: 'developer_app', id, before: recordedOf(before), after: recordedOf(after) })
  return after
}

/** @throws {Problem} 404, and 409 for an app that is published or under review */
export async function deleteApp(call: DeveloperCall, id: string): Promise<void> {
  const before = await lockEditableApp(call, id)
  if (before.publishedAt) throw conflict('app_published', 'The app is published and may be in use. Unpublish it first.')
  await call.db.delete(developerApps).where(eq(developerApps.id, id))
  recordChange(call.db, { object: 'developer_app', id, before: recordedOf(before) })
}

/** The audit log has no counts. */
const recordedOf = (app: DeveloperAppRow) => ({ ...app, counts: undefined })

type Declarations = Pick<DeveloperAppEdit, 'permissions' | 'scopes'>

async function replaceDeclarations(db: Database, appId: string, { permissions, scopes }: Declarations): Promise<void> {
  if (permissions) {
    await db.delete(developerAppPermissions).where(eq(developerAppPermissions.appId, appId))
    if (permissions.length > 0)
      await db.insert(developerAppPermissions).values(permissions.map((each) => ({ appId, ...each })))
  }
  if (!scopes) return
  const known = await requireKnownScopes(db, scopes)
  await db.delete(developerAppScopes).where(eq(developerAppScopes.appId, appId))
  if (known.length > 0)
    await db.insert(developerAppScopes).values(known.map(({ serviceId, scope }) => ({ appId, serviceId, scope })))
}

/** @throws {Problem} 422 naming each scope that no service has */
async function requireKnownScopes(db: Database, requested: string[]) {
  const known = await db
    .select({
      serviceId: servicePermissions.serviceId,
      scope: sql<string>`${servicePermissions.scope}`,
      text: sql<string>`${services.slug} || '/' || ${servicePermissions.scope}`,
    })
    .from(servicePermissions)
    .innerJoin(services, eq(services.id, servicePermissions.serviceId))
    .where(inArray(sql`${services.slug} || '/' || ${servicePermissions.scope}`, requested))
  const unknown = requested.filter((scope) => !known.some(({ text }) => text === scope))
  if (unknown.length === 0) return known
  const path = (scope: string) => `scopes.${requested.indexOf(scope)}`
  throw invalid(
    unknown.map((scope) => ({ path: path(scope), message: `Must be an existing scope. ${scope} isn’t one.` })),
  )
}
