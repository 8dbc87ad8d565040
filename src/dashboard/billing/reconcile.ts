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
  let failure: unknown
  for (let after: string | null = null; ;) {
    const rows = await listPaid(work, organizationId, after)
    for (const row of rows) {
      // One that fails must not hide those after it.
      const difference = await reconcileOne(work, row).catch((error: unknown) => {
        failure ??= error
        return null
      })
      if (difference === null) continue
      checked += 1
      if (difference !== 'none') differences.push(difference)
    }
    if (rows.length < batch) {
      if (failure !== undefined) throw failure
      return { checked, differences }
    }
    after = rows.at(-1)?.id ?? null
  }
}

interface Paid {
  holderId: string
  seats: number
}

/** Null for an organization that is gone. */
async function reconcileOne(work: ApplyWork & EmitDependencies, { holderId, seats: paid }: Paid) {
  const { exists } = await work.identity.organizationState(holderId)
  if (!exists) return null
  const { seats } = await work.identity.entitlement(holderId)
  if (seats.paid === paid && seats.used <= paid) return 'none'
  await applyAccess(work, holderId)
  const difference = { organizationId: holderId, used: seats.used, paid }
  if (seats.used > paid) await transact(work.db, (tx) => emitSeatsMismatch(tx, work, difference))
  return difference
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
