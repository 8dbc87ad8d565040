import { and, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { forEachSettled } from '#lib/each.ts'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { openAccount } from '../accounts/tokens/tokens.ts'
import { networkOf } from '../networks/index.ts'
import { outsideOf } from '../networks/outside.ts'
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
      if (!overall.aborted) await revoke(work, row, AbortSignal.any([overall, AbortSignal.timeout(accountMs)]))
      const gone = { sealedTokens: null, active: false, deactivatedAt: row.deactivatedAt ?? work.now() }
      await db.update(connections).set(gone).where(eq(connections.id, row.id))
    }
  }
  await forEachSettled([...accounts.values()], disconnectAccount, concurrency)
}

async function revoke(
  { database: { db }, config, gateway, secrets, outbound }: ErasureWork,
  row: ConnectionRow,
  signal: AbortSignal,
): Promise<void> {
  const network = networkOf(row.provider)
  if (!network?.revoke) return
  const account = openAccount(secrets, row)
  // A network can give the same token to each person who connects an account.
  const isOwn = network.hasOwnSession?.(account.tokens) ?? false
  if (!isOwn && (await isConnectedElsewhere(db, row))) return
  await network.revoke({
    account,
    outside: outsideOf(config, 'http://localhost', outbound),
    signal,
    credentials: gateway.social,
  })
}

const isConnectedElsewhere = async (db: Database, { id, provider, externalId }: ConnectionRow): Promise<boolean> => {
  const same = and(eq(connections.provider, provider), eq(connections.externalId, externalId))
  return (await db.$count(connections, and(same, ne(connections.id, id), isNotNull(connections.sealedTokens)))) > 0
}
