import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
import { launches } from '../schema.ts'
import type { Launch, LaunchQuery } from './contract.ts'

const newestFirst = keyset({ createdAt: [launches.createdAt, z.coerce.date()], id: [launches.id, Id] }, 'desc')

/** Of the active organization; for roles and keys that are limited to part of it, those of the person alone. */
export async function listLaunchRows(
  { db, actor, identity }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>,
  query: z.output<typeof LaunchQuery>,
): Promise<PageOf<z.input<typeof Launch>>> {
  const organizationId = organizationOf(actor, 'launches:read')
  const own = actor.bindings.length > 0 ? eq(launches.personId, actor.principal.id) : undefined
  const slice = newestFirst.slice(query)
  const rows = await db
    .select()
    .from(launches)
    .where(and(eq(launches.organizationId, organizationId), own, slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  const [people, { apps }] = await Promise.all([
    identity.people([...new Set(items.map(({ personId }) => personId))]),
    identity.catalog(organizationId),
  ])
  return {
    items: items.map(({ id, serviceId, personId, surface, outcome, problem, createdAt }) => ({
      id,
      service: { id: serviceId, name: apps.find((app) => app.id === serviceId)?.name ?? 'Deleted app' },
      person: { id: personId, name: people.get(personId)?.name ?? 'Former member' },
      surface,
      outcome,
      problem,
      launchedAt: createdAt,
    })),
    nextCursor,
  }
}
