import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { JobDependencies } from '#lib/job.ts'
import { networkOf } from '../../networks/index.ts'
import { outsideOf } from '../../networks/outside.ts'
import { connections } from '../../schema.ts'
import { findOrganization } from './organization.ts'
import { openAccount } from './tokens.ts'

type Revoking = Pick<JobDependencies, 'config' | 'database' | 'gateway' | 'outbound' | 'secrets'>
type Row = typeof connections.$inferSelect

/** Of several connections of one account that have the same token. */
type SharedWith = 'any' | 'active'

/**
 * Ends the access at the network, unless another connection of the account needs it. False when the network or the gateway
 * didn't respond, so that a retry can help.
 */
export async function revokeAccess(
  { config, database, gateway, outbound, secrets }: Revoking,
  row: Row,
  { sharedWith, signal }: { sharedWith: SharedWith; signal: AbortSignal },
): Promise<boolean> {
  const network = networkOf(row.provider)
  if (!network?.revoke || row.sealedTokens === null) return true
  const account = openAccount(secrets, row)
  // A network can give the same token to each person who connects an account.
  const isOwn = network.hasOwnSession?.(account.tokens) ?? false
  if (!isOwn && (await isConnectedElsewhere({ database }, row, sharedWith))) return true
  return network.revoke({
    account,
    holder: { id: row.id, organizationId: await findOrganization(database.db, row) },
    outside: outsideOf(config, 'http://localhost', outbound),
    signal,
    credentials: gateway.social,
  })
}

async function isConnectedElsewhere(
  { database: { db } }: Pick<Revoking, 'database'>,
  { id, provider, externalId }: Row,
  sharedWith: SharedWith,
): Promise<boolean> {
  const same = and(
    eq(connections.provider, provider),
    eq(connections.externalId, externalId),
    ne(connections.id, id),
    isNotNull(connections.sealedTokens),
    sharedWith === 'active' ? eq(connections.active, true) : undefined,
  )
  return (await db.$count(connections, same)) > 0
}
