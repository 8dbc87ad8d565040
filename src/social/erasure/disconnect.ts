import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { registeredAt } from '../accounts/network-apps.ts'
import { accountOf } from '../accounts/tokens.ts'
import { networkOf } from '../networks/index.ts'
import { outsideOf } from '../networks/outside.ts'
import { connections } from '../schema.ts'

type ConnectionRow = typeof connections.$inferSelect

/** Milliseconds within which a network has to revoke tokens. */
const patience = 10_000

/** Revokes the tokens of a brand's accounts at their networks, as far as these answer, and deletes them here. */
export async function disconnect(work: ErasureWork, brandId: string): Promise<void> {
  const { db } = work.database
  const rows = await db
    .select()
    .from(connections)
    .where(and(eq(connections.brandId, brandId), isNotNull(connections.sealedTokens)))
  for (const row of rows) {
    await revoke(work, row)
    const gone = { sealedTokens: null, active: false, deactivatedAt: row.deactivatedAt ?? work.now() }
    await db.update(connections).set(gone).where(eq(connections.id, row.id))
  }
}

async function revoke({ database: { db }, config, secrets, outbound }: ErasureWork, row: ConnectionRow): Promise<void> {
  const network = networkOf(row.provider)
  // A network can give the same token to each who connects an account.
  if (!network?.revoke || (await isConnectedElsewhere(db, row))) return
  const account = accountOf(secrets, row)
  await network.revoke({
    account,
    outside: outsideOf(config, 'http://localhost', outbound),
    signal: AbortSignal.timeout(patience),
    apps: (host) => registeredAt(db, secrets, row.provider, host),
  })
}

const isConnectedElsewhere = async (db: Database, { id, provider, externalId }: ConnectionRow): Promise<boolean> => {
  const same = and(eq(connections.provider, provider), eq(connections.externalId, externalId))
  return (await db.$count(connections, and(same, ne(connections.id, id), isNotNull(connections.sealedTokens)))) > 0
}
