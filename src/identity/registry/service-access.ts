import { and, eq } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { serviceAccess } from '../schema.ts'

type RevocationContext = Pick<Call, 'db' | 'now' | 'events'>

interface ServiceAccessInput {
  organizationId: string
  service: { id: string; slug: string }
}

/** Grants a service, with effect from the next request; `by` is a person. False if the organization had it already. */
export async function grantServiceAccess(
  { db, now, events }: RevocationContext,
  { organizationId, service, by }: ServiceAccessInput & { by: string | null },
): Promise<boolean> {
  const row = { organizationId, serviceId: service.id, grantedAt: now(), grantedBy: by }
  const given = await db.insert(serviceAccess).values(row).onConflictDoNothing().returning()
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
