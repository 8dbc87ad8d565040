import { and, eq, inArray, sql } from 'drizzle-orm'
import { unionAll, type PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
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

/**
 * The names of people and of an organization's objects by their ID, in one query; those that are gone have none. An app's
 * slug is an ID here, too.
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
