import type { Database } from '#lib/db.ts'
import { lockEntitlement, seatsOf } from './entitlements.ts'
import { seatsExceeded } from './exceeded.ts'

/**
 * In the transaction that has added the member. Concurrent calls wait for each other. @throws {Problem} 402 when it
 * is one more than was paid for
 */
export async function requireSeat(db: Database, organizationId: string): Promise<void> {
  const { seats: paid } = await lockEntitlement(db, organizationId)
  if (paid === undefined) return
  const { used } = await seatsOf(db, organizationId, paid)
  if (used > paid) throw seatsExceeded(used - 1, paid)
}
