import { and, eq, exists, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { listEntries } from '../../registry/services.ts'
import { servicePermissions, services } from '../../schema.ts'

/** By name: the apps of an organization, installed or not, or for null those for personal accounts. */
export async function listCatalogApps(db: Database, organizationId: string | null) {
  const context = organizationId === null ? 'personal' : 'organization'
  const inContext = sql`${services.supportedContexts} @> ARRAY[${context}]`
  const [entries, restricted] = await Promise.all([
    listEntries(db, organizationId, and(eq(services.surfaceKind, 'app'), inContext)),
    listRestricted(db),
  ])
  return entries.map((entry) => ({
    ...entry,
    removable: organizationId !== null && !(entry.firstParty && !entry.paid),
    hasPermissions: restricted.has(entry.id),
  }))
}

async function listRestricted(db: Database): Promise<ReadonlySet<string>> {
  const own = db
    .select({ id: servicePermissions.serviceId })
    .from(servicePermissions)
    .where(eq(servicePermissions.serviceId, services.id))
  const rows = await db.select({ id: services.id }).from(services).where(exists(own))
  return new Set(rows.map(({ id }) => id))
}
