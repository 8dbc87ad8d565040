import type { Database } from '#lib/db.ts'
import { lockEntitlement, seatsOf } from './entitlements.ts'
import { seatsExceeded } from './exceeded.ts'

/**
 * Called in the transaction that has just made a member, human or agent: throws 402 where that is one more than was paid
 * for. Of two who come for the last seat at the same time, the second waits for the first.
 */
export async function requireSeat(db: Database, organizationId: string): Promise<void> {
  const { seats: paid } = await lockEntitlement(db, organizationId)
  if (paid === undefined) return
  const { used } = await seatsOf(db, organizationId, paid)
  if (used > paid) throw seatsExceeded(used - 1, paid)
}
