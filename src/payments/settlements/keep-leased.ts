import { sql } from 'drizzle-orm'
import { renewLeases } from '#lib/db/due.ts'
import { logFault } from '#lib/log/fault.ts'
import { settlementItems } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'

/** Renews the leases of items while `run` works on them, however long the provider takes. */
export async function keepLeased(
  { db, log, config: { SETTLEMENT_LEASE_MS: leaseMs } }: PaymentsWork,
  { owner, ids }: { owner: string; ids: string[] },
  run: () => Promise<void>,
): Promise<void> {
  // Items that it is done with have no owner.
  const lease = { table: settlementItems, only: sql`due_at IS NOT NULL`, owner, leaseMs, ids }
  const timer = setInterval(() => {
    renewLeases(db, lease).catch((error: unknown) => logFault(log, 'the leases of settlement items', error))
  }, leaseMs / 3)
  try {
    await run()
  } finally {
    clearInterval(timer)
  }
}
