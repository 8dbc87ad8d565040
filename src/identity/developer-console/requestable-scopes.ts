import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { servicePermissions, services } from '../schema.ts'
import type { DeveloperAppRow } from './contract.ts'

export const listRequestableScopes = (db: Database): Promise<{ value: string; description: string }[]> =>
  db
    .select({
      value: sql<string>`${services.slug} || '/' || ${servicePermissions.scope}`,
      description: servicePermissions.description,
    })
    .from(servicePermissions)
    .innerJoin(services, eq(services.id, servicePermissions.serviceId))
    .where(and(isNotNull(servicePermissions.scope), eq(services.firstParty, true)))
    .orderBy(asc(services.slug), asc(servicePermissions.scope))

export async function listKeyServices(db: Database, { scopes }: Pick<DeveloperAppRow, 'scopes'>) {
  const requested = scopes.map((text) => text.split('/'))
  const slugs = [...new Set(requested.map(([slug = '']) => slug))]
  const names = await db
    .select({ slug: services.slug, name: services.name })
    .from(services)
    .where(inArray(services.slug, slugs))
    .orderBy(asc(services.name))
  return names.map((service) => ({
    ...service,
    scopes: requested.flatMap(([slug, scope = '']) => (slug === service.slug ? [scope] : [])),
  }))
}
