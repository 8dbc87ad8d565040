import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { forEachSettled } from '#lib/each.ts'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { revokeAccess } from '../accounts/tokens/revoke.ts'
import { connections } from '../schema.ts'

type ConnectionRow = typeof connections.$inferSelect

/** Accounts whose tokens are revoked at a time, and milliseconds for one account and for all of an organization. */
const limits = { concurrency: 8, accountMs: 10_000, organizationMs: 30_000 }

/** Networks that don't respond in time are left out: silent hosts must not hold up an erasure. */
export async function disconnect(
  work: ErasureWork,
  brandIds: readonly string[],
  { concurrency, accountMs, organizationMs } = limits,
): Promise<void> {
  const { db } = work.database
  const rows = await db
    .select()
    .from(connections)
    .where(and(inArray(connections.brandId, [...brandIds]), isNotNull(connections.sealedTokens)))
  const overall = AbortSignal.timeout(organizationMs)
  // Of several connections of one account the last one has to find no other.
  const accounts = Map.groupBy(rows, ({ provider, externalId }) => `${provider} ${externalId}`)
  const disconnectAccount = async (same: ConnectionRow[]) => {
    for (const row of same) {
      const signal = AbortSignal.any([overall, AbortSignal.timeout(accountMs)])
      if (!overall.aborted) await revokeAccess(work, row, { sharedWith: 'any', signal })
      const gone = { sealedTokens: null, active: false, deactivatedAt: row.deactivatedAt ?? work.now() }
      await db.update(connections).set(gone).where(eq(connections.id, row.id))
    }
  }
  await forEachSettled([...accounts.values()], disconnectAccount, concurrency)
}
