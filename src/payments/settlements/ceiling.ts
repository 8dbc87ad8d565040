import { and, eq, gte, isNull, ne, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { firstIdAt } from '#lib/ids.ts'
import { settlements } from '../schema.ts'
import { ceilingFor, ceilingWindowMs } from '../settings/ceilings.ts'
import { readSettings } from '../settings/settings.ts'

interface Requested {
  organizationId: string
  currency: string
  controlSum: bigint
  /** The person who is responsible; null for a service. */
  responsibleId: string | null
  service: string | null
  at: Date
}

/** The ceiling that a new batch exceeds, together with what its requester sent in the last 24 hours without an approval. */
export async function exceededCeiling(tx: Database, requested: Requested): Promise<bigint | null> {
  const { organizationId, currency, controlSum, responsibleId } = requested
  const stored = await readSettings(tx, organizationId)
  const ceiling = ceilingFor(stored, { of: 'batches', currency, person: responsibleId })
  if (ceiling === null) return null
  const lock = `settlement ceiling ${organizationId} ${currency}`
  // Batches that are sent at once count for each other.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  return controlSum + (await sumUnapproved(tx, requested)) > ceiling ? ceiling : null
}

async function sumUnapproved(
  tx: Database,
  { organizationId, currency, responsibleId, service, at }: Requested,
): Promise<bigint> {
  const since = new Date(at.getTime() - ceilingWindowMs)
  const [row] = await tx
    .select({ sum: sql`coalesce(sum(${settlements.controlSum}), 0)`.mapWith(BigInt) })
    .from(settlements)
    .where(
      and(
        eq(settlements.organizationId, organizationId),
        gte(settlements.id, firstIdAt(since)),
        eq(settlements.currency, currency),
        responsibleId === null ? isNull(settlements.responsibleId) : eq(settlements.responsibleId, responsibleId),
        service === null ? isNull(settlements.requestingService) : eq(settlements.requestingService, service),
        isNull(settlements.decidedBy),
        ne(settlements.status, 'needs_approval'),
        ne(settlements.status, 'failed'),
      ),
    )
  return row?.sum ?? 0n
}
