import { and, eq, inArray, sql } from 'drizzle-orm'
import { unionAll, type PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { auditLog } from '#lib/schema.ts'
import {
  apiKeys,
  bindableResources,
  developerApps,
  invitations,
  organizationDomains,
  organizations,
  services,
  users,
} from '../../schema.ts'

/** Kinds of objects of other contexts, and the fields that name them. */
const loggedKinds = ['account', 'export', 'media', 'post', 'upload', 'webhook']
export const nameFields = ['name', 'displayName', 'handle', 'domain', 'email', 'text']

const loggedName = sql.join(
  [auditLog.after, auditLog.before].flatMap((fields) =>
    nameFields.map((field) => sql`nullif(${fields}->>${field}, '')`),
  ),
  sql`, `,
)

/**
 * The names of people and of an organization's objects by their ID, in one query. Objects of other contexts have the name
 * that was logged last, an accepted invitation that of the person; erased ones have none. An app's slug is an ID here, too.
 */
export async function loadNames(
  db: Database,
  organizationId: string,
  references: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const all = [...new Set(references)]
  const ids = all.filter((id) => Id.safeParse(id).success)
  if (all.length === 0) return new Map()
  const own = (column: PgColumn) => eq(column, organizationId)
  const rows = await unionAll(
    // First, since the tables know better.
    db
      .select({
        id: sql<string>`${auditLog.objectId}`,
        name: sql<string>`(array_agg(coalesce(${loggedName}) ORDER BY ${auditLog.at} DESC, ${auditLog.id} DESC))[1]`,
      })
      .from(auditLog)
      .where(
        and(
          own(auditLog.organizationId),
          inArray(auditLog.objectId, ids),
          inArray(auditLog.objectKind, loggedKinds),
          sql`coalesce(${loggedName}) IS NOT NULL`,
        ),
      )
      .groupBy(auditLog.objectId),
    db
      .select({ id: sql<string>`${auditLog.objectId}`, name: users.name })
      .from(auditLog)
      .innerJoin(users, eq(users.id, sql`(${auditLog.after}->>'userId')::uuid`))
      .where(and(own(auditLog.organizationId), inArray(auditLog.objectId, ids), eq(auditLog.objectKind, 'invitation'))),
    db
      .select({ id: sql<string>`${users.id}::text`, name: users.name })
      .from(users)
      .where(inArray(users.id, ids)),
    db
      .select({ id: sql<string>`${apiKeys.id}::text`, name: apiKeys.name })
      .from(apiKeys)
      .where(and(inArray(apiKeys.id, ids), own(apiKeys.organizationId))),
    db
      .select({ id: sql<string>`${invitations.id}::text`, name: invitations.email })
      .from(invitations)
      .where(and(inArray(invitations.id, ids), own(invitations.organizationId))),
    db
      .select({ id: sql<string>`${organizationDomains.id}::text`, name: organizationDomains.domain })
      .from(organizationDomains)
      .where(and(inArray(organizationDomains.id, ids), own(organizationDomains.organizationId))),
    db
      .select({ id: sql<string>`${bindableResources.resourceId}::text`, name: bindableResources.name })
      .from(bindableResources)
      .where(and(inArray(bindableResources.resourceId, ids), own(bindableResources.organizationId))),
    db
      .select({ id: sql<string>`${developerApps.id}::text`, name: developerApps.name })
      .from(developerApps)
      .where(and(inArray(developerApps.id, ids), own(developerApps.organizationId))),
    db
      .select({ id: sql<string>`${organizations.id}::text`, name: organizations.name })
      .from(organizations)
      .where(and(inArray(organizations.id, ids), own(organizations.id))),
    db.select({ id: services.slug, name: services.name }).from(services).where(inArray(services.slug, all)),
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
