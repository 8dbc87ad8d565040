import { and, asc, eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import { roles, type Actor, type Role } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { actions, roleBundles, serviceAccess, servicePermissions, serviceRedirectUris, services } from '../schema.ts'

/** Ids differ between environments, slugs don't (IDN-11). @throws {Problem} 404 */
export async function requireServiceBySlug(db: Database, slug: string) {
  const [service] = await db.select().from(services).where(eq(services.slug, slug))
  if (!service) throw notFound('service')
  return service
}

/** As seen from an organization or, for null, from the personal context. */
export async function listEntries(db: Database, organizationId: string | null, which?: SQL) {
  const own = organizationId ? eq(serviceAccess.organizationId, organizationId) : sql`false`
  const rows = await db
    .select({
      service: services,
      access: serviceAccess,
      redirectUris: sql<string[]>`ARRAY(
        SELECT ${serviceRedirectUris.uri} FROM ${serviceRedirectUris}
        WHERE ${serviceRedirectUris.serviceId} = ${services.id} ORDER BY 1)`,
      handoffUri: sql<string | null>`(
        SELECT ${serviceRedirectUris.uri} FROM ${serviceRedirectUris}
        WHERE ${serviceRedirectUris.serviceId} = ${services.id} AND ${serviceRedirectUris.handoff})`,
    })
    .from(services)
    .leftJoin(serviceAccess, and(eq(serviceAccess.serviceId, services.id), own))
    .where(which)
    .orderBy(asc(services.name), asc(services.id))
  return rows.map(({ service, access, redirectUris, handoffUri }) => ({
    ...entryOf(service),
    redirectUris,
    handoffUri,
    installed: organizationId === null || access !== null,
  }))
}

/** Some clients read the snake_case names, so both are returned. */
const entryOf = (service: typeof services.$inferSelect) => ({
  ...service,
  surface_kind: service.surfaceKind,
  surface_group: service.surfaceGroup,
  household_capable: service.householdCapable,
  nativeLinks: { ios: service.iosUrl, android: service.androidUrl },
})

const supports = (context: 'organization' | 'personal') => sql`${services.supportedContexts} @> ARRAY[${context}]`

/** The personal context has fewer (IDN-20). */
export async function listCatalog(db: Database, organizationId: string | null, service: Actor['service']) {
  const which = service ? undefined : supports(organizationId === null ? 'personal' : 'organization')
  return { items: await listEntries(db, organizationId, which), nextCursor: null }
}

export async function listInstalled(db: Database, organizationId: string) {
  const entries = await listEntries(db, organizationId, supports('organization'))
  return { items: entries.filter(({ installed }) => installed), nextCursor: null }
}

export const listRegistry = async (db: Database) => ({ items: await listEntries(db, null), nextCursor: null })

/** @throws {Problem} 404 */
export async function findService(db: Database, id: string, organizationId: string | null = null) {
  const [entry] = await listEntries(db, organizationId, eq(services.id, id))
  if (!entry) throw notFound('service')
  return entry
}

/** @throws {Problem} 404 for an unknown service */
export async function requireService(db: Database, id: string): Promise<void> {
  const [service] = await db.select({ id: services.id }).from(services).where(eq(services.id, id))
  if (!service) throw notFound('service')
}

/** @throws {Problem} 404 */
export async function scopesOf(db: Database, serviceId: string) {
  await requireService(db, serviceId)
  const rows = await db
    .select({
      scope: servicePermissions.scope,
      permission: servicePermissions.permission,
      description: servicePermissions.description,
      actions: sql<string[]>`ARRAY(SELECT opened.name FROM ${actions} AS opened
        WHERE opened.service_id = ${servicePermissions}.service_id
          AND opened.permission = ${servicePermissions}.permission ORDER BY 1)`,
    })
    .from(servicePermissions)
    .where(and(eq(servicePermissions.serviceId, serviceId), isNotNull(servicePermissions.scope)))
    .orderBy(asc(servicePermissions.scope))
  return { items: rows.map((row) => ({ ...row, scope: row.scope ?? '' })), nextCursor: null }
}

/** @throws {Problem} 404 */
export async function permissionsOf(db: Database, serviceId: string) {
  await requireService(db, serviceId)
  const rows = await db
    .select({
      permission: servicePermissions.permission,
      scope: servicePermissions.scope,
      description: servicePermissions.description,
      bundleRoles: sql<Role[]>`array_remove(array_agg(${roleBundles.role}), NULL)`,
    })
    .from(servicePermissions)
    .leftJoin(
      roleBundles,
      and(
        eq(roleBundles.serviceId, servicePermissions.serviceId),
        eq(roleBundles.permission, servicePermissions.permission),
      ),
    )
    .where(eq(servicePermissions.serviceId, serviceId))
    .groupBy(servicePermissions.serviceId, servicePermissions.permission)
    .orderBy(asc(servicePermissions.permission))
  const items = rows.map(({ bundleRoles, ...row }) => ({
    ...row,
    roles: roles.filter((role) => bundleRoles.includes(role)),
  }))
  return { items, nextCursor: null }
}

/** Weakest role first (IDN-12). @throws {Problem} 404 */
export async function roleBundlesOf(db: Database, serviceId: string) {
  const { items } = await permissionsOf(db, serviceId)
  const permissionsOfRole = (role: Role) =>
    items.flatMap((each) => (each.roles.includes(role) ? [each.permission] : []))
  return { items: roles.map((role) => ({ role, permissions: permissionsOfRole(role) })), nextCursor: null }
}
