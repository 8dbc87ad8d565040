import { and, eq, ilike, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor, Binding } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, containsPattern, type Database } from '#lib/db.ts'
import { invalid } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
import { bindableResources, services } from '../../schema.ts'
import { requireService } from '../../registry/services.ts'
import type { BindableQuery, BindableReport, BindableResource } from './contract.ts'

const byName = keyset({ name: [bindableResources.name, z.string()], id: [bindableResources.resourceId, Id] })

const columns = { kind: bindableResources.kind, id: bindableResources.resourceId, name: bindableResources.name }

/** By name; for a bound key only those that it is bound to. @throws {Problem} 404, 409 */
export async function list(db: Database, actor: Actor, query: BindableQuery): Promise<PageOf<BindableResource>> {
  await requireService(db, query.id)
  const { kind, q } = query
  const slice = byName.slice(query)
  const rows = await db
    .select(columns)
    .from(bindableResources)
    .where(
      and(
        visibleTo(actor),
        eq(bindableResources.serviceId, query.id),
        kind ? eq(bindableResources.kind, kind) : undefined,
        q ? ilike(bindableResources.name, containsPattern(q)) : undefined,
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

/** More than most organizations have. Use the API to search more. */
const maxOffered = 500

export const listOffered = (db: Database, actor: Actor) =>
  db
    .select({ ...columns, service: services.slug })
    .from(bindableResources)
    .innerJoin(services, eq(services.id, bindableResources.serviceId))
    .where(visibleTo(actor))
    .orderBy(...byName.order)
    .limit(maxOffered)

export const listForService = (db: Database, actor: Actor, serviceId: string): Promise<BindableResource[]> =>
  db
    .select(columns)
    .from(bindableResources)
    .where(and(visibleTo(actor), eq(bindableResources.serviceId, serviceId)))
    .orderBy(...byName.order)
    .limit(maxOffered)

/** The first that the active organization doesn't have. */
export async function findMissing(db: Database, actor: Actor, serviceId: string, bindings: readonly Binding[]) {
  const ids = bindings.map(({ id }) => id)
  const ofService = and(eq(bindableResources.serviceId, serviceId), inArray(bindableResources.resourceId, ids))
  const known = await db
    .select(columns)
    .from(bindableResources)
    .where(and(visibleTo(actor), ofService))
  return bindings.find((binding) => !known.some(({ kind, id }) => kind === binding.kind && id === binding.id))
}

function visibleTo(actor: Actor): SQL | undefined {
  const bound = actor.bindings.map(({ id }) => id)
  return and(
    eq(bindableResources.organizationId, organizationOf(actor)),
    isNull(bindableResources.deletedAt),
    bound.length > 0 ? inArray(bindableResources.resourceId, bound) : undefined,
  )
}

/** Ignores older versions than the known ones. Returns how many were stored. @throws {Problem} 422 */
export async function storeReports(
  { db, actor, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>,
  items: BindableReport[],
) {
  const newest = new Map<string, BindableReport>()
  for (const item of items.toSorted((a, b) => a.version - b.version)) newest.set(`${item.kind}:${item.id}`, item)
  const rows = [...newest.values()].map(({ id, deleted, ...item }) => ({
    ...item,
    resourceId: id,
    // The principal of a service token is the service.
    serviceId: actor.principal.id,
    deletedAt: deleted ? now() : null,
  }))
  const { serviceId, kind, resourceId, version } = bindableResources
  const stored = await db
    .insert(bindableResources)
    .values(rows)
    .onConflictDoUpdate({
      target: [serviceId, kind, resourceId],
      set: {
        organizationId: sql`excluded.organization_id`,
        name: sql`excluded.name`,
        version: sql`excluded.version`,
        deletedAt: sql`excluded.deleted_at`,
      },
      setWhere: lt(version, sql`excluded.version`),
    })
    .returning({ id: resourceId })
    .catch((error: unknown) => {
      throw brokenConstraint(error)?.includes('organization_id')
        ? invalid([{ path: 'items', message: 'Must name an existing organization.' }])
        : error
    })
  return stored.length
}
