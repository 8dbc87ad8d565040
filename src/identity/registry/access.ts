import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { organizations, serviceAccess, services } from '../schema.ts'
import { grantServiceAccess, revokeServiceAccess } from './service-access.ts'

type ActorContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events'>

interface AccessRef {
  id: string
  serviceId: string
}

/** @throws 404 */
export async function listServicesFor(db: Database, id: string) {
  const found = await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, id))
  if (found.length === 0) throw notFound('organization')
  const rows = await db
    .select({ service: services, grantedAt: serviceAccess.grantedAt })
    .from(services)
    .leftJoin(serviceAccess, and(eq(serviceAccess.serviceId, services.id), eq(serviceAccess.organizationId, id)))
    .orderBy(asc(services.name), asc(services.id))
  const items = rows.map(({ service, grantedAt }) => ({
    ...service,
    surface_kind: service.surfaceKind,
    installed: grantedAt !== null,
    grantedAt,
  }))
  return { items, nextCursor: null }
}

/** Idempotent. @throws 404 */
export async function grantAccess(call: ActorContext, { id, serviceId }: AccessRef) {
  const service = await requireService(call.db, { id, serviceId })
  await grantServiceAccess(call, { organizationId: id, service, by: call.actor.principal.id })
  return requireService(call.db, { id, serviceId })
}

/** Members and keys lose access with their next request. @throws 404 */
export async function withdrawAccess(call: Pick<ActorContext, 'db' | 'events'>, { id, serviceId }: AccessRef) {
  const service = await requireService(call.db, { id, serviceId })
  if (!(await revokeServiceAccess(call, { organizationId: id, service }))) throw notFound('service')
}

async function requireService(db: Database, { id, serviceId }: AccessRef) {
  const { items } = await listServicesFor(db, id)
  const service = items.find((each) => each.id === serviceId)
  if (!service) throw notFound('service')
  return service
}
