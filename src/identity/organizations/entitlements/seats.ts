import type { Database } from '#lib/db.ts'
import { lockEntitlement, seatsOf } from './entitlements.ts'
import { seatsExceeded } from './exceeded.ts'

/** After adding the member, in the same transaction; concurrent calls wait. @throws {Problem} 402 */
export async function requireSeat(db: Database, organizationId: string): Promise<void> {
  const { seats: paid, standing } = await lockEntitlement(db, organizationId)
  if (paid === undefined) return
  const { used } = await seatsOf(db, organizationId, paid)
  if (used > paid) throw seatsExceeded(used - 1, paid, standing)
}
