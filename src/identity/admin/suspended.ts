import { and, eq, isNull } from 'drizzle-orm'
import type { Suspension } from '#lib/actor.ts'
import { suspendedProblem } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import type { OrganizationState } from '../contract.ts'
import { organizations, suspensions } from '../schema.ts'

export const runningSuspension = and(eq(suspensions.organizationId, organizations.id), isNull(suspensions.liftedAt))

interface Row {
  organizationId: string | null
  name: string | null
  suspendedFor: string | null
  deletesAt: Date | null
}

export const suspensionColumns = {
  organizationId: organizations.id,
  name: organizations.name,
  suspendedFor: suspensions.reason,
  deletesAt: suspensions.deletesAt,
}

export const suspensionOf = ({ organizationId, name, suspendedFor, deletesAt }: Row): Suspension | null =>
  organizationId && name && suspendedFor ? { organizationId, name, reason: suspendedFor, deletesAt } : null

/** @throws {Problem} 403 for a suspended organization */
export async function refuseSuspended(db: Database, organizationId: string): Promise<void> {
  const suspension = await findRunningSuspension(db, organizationId)
  if (suspension) throw suspendedProblem(suspension)
}

export async function stateOf(db: Database, organizationId: string): Promise<OrganizationState> {
  const [row] = await db
    .select({ ...suspensionColumns, timeZone: organizations.timeZone })
    .from(organizations)
    .leftJoin(suspensions, runningSuspension)
    .where(eq(organizations.id, organizationId))
  const suspended = row !== undefined && suspensionOf(row) !== null
  return { exists: row !== undefined, suspended, timeZone: row?.timeZone ?? null }
}

async function findRunningSuspension(db: Database, organizationId: string): Promise<Suspension | null> {
  const [row] = await db
    .select(suspensionColumns)
    .from(organizations)
    .innerJoin(suspensions, runningSuspension)
    .where(eq(organizations.id, organizationId))
  return row ? suspensionOf(row) : null
}
