import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { audited } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { revoked } from '../revocation.ts'
import { organizations, serviceAccess, services } from '../schema.ts'

type Changing = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events'>

/** What of an organization. */
interface Access {
  id: string
  serviceId: string
}

/** Every service, and since when the organization has it. Throws 404. */
export async function servicesFor(db: Database, id: string) {
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

/** Gives an organization a service; one that it has stays as it is. Throws 404. */
export async function grantAccess({ db, actor, now, events }: Changing, { id, serviceId }: Access) {
  const service = await serviceFor(db, { id, serviceId })
  const row = { organizationId: id, serviceId, grantedAt: now(), grantedBy: actor.principal.id }
  const granted = await db.insert(serviceAccess).values(row).onConflictDoNothing().returning()
  if (granted.length > 0) {
    audited(db, { object: 'organization', id, after: { service: service.slug }, organizationId: id })
    await revoked(db, events, id)
  }
  return serviceFor(db, { id, serviceId })
}

/** Takes a service from an organization: its people and keys can do nothing there from their next request on. Throws 404. */
export async function withdrawAccess({ db, events }: Pick<Changing, 'db' | 'events'>, { id, serviceId }: Access) {
  const { slug } = await serviceFor(db, { id, serviceId })
  const own = and(eq(serviceAccess.organizationId, id), eq(serviceAccess.serviceId, serviceId))
  const withdrawn = await db.delete(serviceAccess).where(own).returning()
  if (withdrawn.length === 0) throw notFound('service')
  audited(db, { object: 'organization', id, before: { service: slug }, organizationId: id })
  await revoked(db, events, id)
}

async function serviceFor(db: Database, { id, serviceId }: Access) {
  const { items } = await servicesFor(db, id)
  const service = items.find((each) => each.id === serviceId)
  if (!service) throw notFound('service')
  return service
}
