import { and, eq, isNull } from 'drizzle-orm'
import type { Suspension } from '#lib/actor.ts'
import { suspended } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { organizations, suspensions } from '../schema.ts'

/** Joins an organization to the suspension that it is under. */
export const runningSuspension = and(eq(suspensions.organizationId, organizations.id), isNull(suspensions.liftedAt))

interface Row {
  organizationId: string | null
  name: string | null
  suspendedFor: string | null
  deletesAt: Date | null
}

/** The suspension that a row was joined with; null without one. */
export const suspensionOf = ({ organizationId, name, suspendedFor, deletesAt }: Row): Suspension | null =>
  organizationId && name && suspendedFor ? { organizationId, name, reason: suspendedFor, deletesAt } : null

/** Throws 403 for an organization that is suspended. */
export async function refuseSuspended(db: Database, organizationId: string): Promise<void> {
  const suspension = await findRunningSuspension(db, organizationId)
  if (suspension) throw suspended(suspension)
}

/** Whether an organization is suspended; false where there is none. */
export const isSuspended = async (db: Database, organizationId: string): Promise<boolean> =>
  (await findRunningSuspension(db, organizationId)) !== null

async function findRunningSuspension(db: Database, organizationId: string): Promise<Suspension | null> {
  const [row] = await db
    .select({
      organizationId: organizations.id,
      name: organizations.name,
      suspendedFor: suspensions.reason,
      deletesAt: suspensions.deletesAt,
    })
    .from(organizations)
    .innerJoin(suspensions, runningSuspension)
    .where(eq(organizations.id, organizationId))
  return row ? suspensionOf(row) : null
}
