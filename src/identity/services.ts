import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { roles } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { roleBundles, servicePermissions, services } from './schema.ts'

/** The service with this slug, by which its id is found in this environment (IDN-11). Throws 404. */
export async function serviceBySlug(db: Database, slug: string) {
  const [service] = await db.select().from(services).where(eq(services.slug, slug))
  if (!service) throw notFound('service')
  return service
}

/** The whole registry by name. */
export const catalog = async (db: Database) => ({
  items: await db.select().from(services).orderBy(asc(services.name)),
  nextCursor: null,
})

/** Throws 404 for an id that is no service's. */
export async function requireService(db: Database, id: string): Promise<void> {
  const [service] = await db.select({ id: services.id }).from(services).where(eq(services.id, id))
  if (!service) throw notFound('service')
}

/** The scopes that a key of this service can carry (IDN-12). Throws 404. */
export async function scopesOf(db: Database, serviceId: string) {
  await requireService(db, serviceId)
  const rows = await db
    .select()
    .from(servicePermissions)
    .where(and(eq(servicePermissions.serviceId, serviceId), isNotNull(servicePermissions.scope)))
    .orderBy(asc(servicePermissions.scope))
  return { items: rows.map((row) => ({ ...row, scope: row.scope ?? '' })), nextCursor: null }
}

/** What each role may do in this service, weakest role first (IDN-12). Throws 404. */
export async function roleBundlesOf(db: Database, serviceId: string) {
  await requireService(db, serviceId)
  const rows = await db
    .select()
    .from(roleBundles)
    .where(eq(roleBundles.serviceId, serviceId))
    .orderBy(asc(roleBundles.permission))
  const permissionsOf = (role: string) => rows.flatMap((row) => (row.role === role ? [row.permission] : []))
  return { items: roles.map((role) => ({ role, permissions: permissionsOf(role) })), nextCursor: null }
}
