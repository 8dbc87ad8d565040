import { and, asc, eq, gt } from 'drizzle-orm'
import type { z } from 'zod'
import { transact } from '#lib/db.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { applyAccess, type ApplyWork } from '../checkout/apply.ts'
import { platformSubscriptions } from '../schema.ts'
import type { SeatReconciliation } from './contract.ts'
import { emitSeatsMismatch } from './events.ts'

const batch = 100

/**
 * Compares seats in use and seats of the entitlement with those that are paid, of one organization or all. A different
 * entitlement is set right, and identity raises an action where more seats are in use than paid.
 */
export async function reconcileSeats(
  work: ApplyWork & EmitDependencies,
  organizationId?: string,
): Promise<z.output<typeof SeatReconciliation>> {
  const differences: z.output<typeof SeatReconciliation>['differences'] = []
  let checked = 0
  for (let after: string | null = null; ;) {
    const rows = await listPaid(work, organizationId, after)
    for (const { holderId, seats: paid } of rows) {
      const { exists } = await work.identity.organizationState(holderId)
      if (!exists) continue
      checked += 1
      const { seats } = await work.identity.entitlement(holderId)
      if (seats.paid === paid && seats.used <= paid) continue
      await applyAccess(work, holderId)
      const difference = { organizationId: holderId, used: seats.used, paid }
      differences.push(difference)
      if (seats.used > paid) await transact(work.db, (tx) => emitSeatsMismatch(tx, work, difference))
    }
    if (rows.length < batch) return { checked, differences }
    after = rows.at(-1)?.id ?? null
  }
}

const listPaid = ({ db }: ApplyWork, organizationId: string | undefined, after: string | null) =>
  db
    .select({
      id: platformSubscriptions.id,
      holderId: platformSubscriptions.holderId,
      seats: platformSubscriptions.seats,
    })
    .from(platformSubscriptions)
    .where(
      and(
        eq(platformSubscriptions.ownerType, 'organization'),
        eq(platformSubscriptions.access, 'full'),
        organizationId === undefined ? undefined : eq(platformSubscriptions.holderId, organizationId),
        after === null ? undefined : gt(platformSubscriptions.id, after),
      ),
    )
    .orderBy(asc(platformSubscriptions.id))
    .limit(batch)
