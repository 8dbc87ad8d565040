import { and, eq } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint } from '#lib/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { refuseSuspended } from '../admin/suspended.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { organizations, serviceAccess } from '../schema.ts'
import { requireServiceBySlug } from './services.ts'

type RevocationContext = Pick<Call, 'db' | 'now' | 'events'>

interface ServiceAccessInput {
  organizationId: string
  service: { id: string; slug: string }
}

/**
 * Grants a service, with effect from the next request; `by` is a person. False if the organization had it already.
 * @throws {Problem} 404, 422 for an unknown person
 */
export async function grantServiceAccess(
  { db, now, events }: RevocationContext,
  { organizationId, service, by }: ServiceAccessInput & { by: string | null },
): Promise<boolean> {
  const row = { organizationId, serviceId: service.id, grantedAt: now(), grantedBy: by }
  const given = await db
    .insert(serviceAccess)
    .values(row)
    .onConflictDoNothing()
    .returning()
    .catch((error: unknown) => {
      const broken = brokenConstraint(error)
      if (broken === 'service_access_granted_by_users_id_fk')
        throw invalid([{ path: 'by', message: 'Must be the ID of a person.' }])
      throw broken === 'service_access_organization_id_organizations_id_fk' ? notFound('organization') : error
    })
  if (given.length === 0) return false
  recordChange(db, { object: 'organization', id: organizationId, after: { service: service.slug }, organizationId })
  await publishRevocation(db, events, organizationId)
  return true
}

/** Members and keys lose access with their next request. False if the organization didn’t have the service. */
export async function revokeServiceAccess(
  { db, events }: Omit<RevocationContext, 'now'>,
  { organizationId, service }: ServiceAccessInput,
): Promise<boolean> {
  const own = and(eq(serviceAccess.organizationId, organizationId), eq(serviceAccess.serviceId, service.id))
  const taken = await db.delete(serviceAccess).where(own).returning()
  if (taken.length === 0) return false
  recordChange(db, { object: 'organization', id: organizationId, before: { service: service.slug }, organizationId })
  await publishRevocation(db, events, organizationId)
  return true
}

/** Idempotent. @throws 404 for an unknown organization, 403 for a suspended one */
export async function provisionService(call: RevocationContext, organizationId: string, slug: string) {
  const { db } = call
  // Locked, so that it can't be deleted meanwhile.
  const known = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for('key share')
  if (known.length === 0) throw notFound('organization')
  await refuseSuspended(db, organizationId)
  const service = await requireServiceBySlug(db, slug)
  const created = await grantServiceAccess(call, { organizationId, service, by: null })
  const own = and(eq(serviceAccess.organizationId, organizationId), eq(serviceAccess.serviceId, service.id))
  const [access] = await db.select({ grantedAt: serviceAccess.grantedAt }).from(serviceAccess).where(own)
  if (!access) throw notFound('service')
  return { organizationId, service: slug, grantedAt: access.grantedAt, created }
}
