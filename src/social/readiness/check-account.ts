import { eq, sql } from 'drizzle-orm'
import type { Work } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { readApps } from '../accounts/apps.ts'
import { isRefreshable, renewInJob } from '../accounts/tokens/refresh-ahead.ts'
import { openAccount } from '../accounts/tokens/tokens.ts'
import { networkOf } from '../networks/index.ts'
import type { Account, AccountCheck, Network } from '../networks/network.ts'
import { outsideOf } from '../networks/outside.ts'
import { videoOf } from '../publishing/send-context.ts'
import { accountChecks, connections } from '../schema.ts'

type Row = typeof connections.$inferSelect

/** Asks the network about an account, and stores what it said. Without a transaction: networks take their time. */
export async function checkAccount(work: Work, connectionId: string): Promise<void> {
  const { database, secrets } = work
  const [row] = await database.db.select().from(connections).where(eq(connections.id, connectionId))
  const network = row && networkOf(row.provider)
  if (!network || !row.active || row.health !== 'ok') return
  const account = openAccount(secrets, row)
  const [check, hasApp] = await Promise.all([
    askNetwork(work, row, network, account),
    hasOwnApp(work, network, account),
  ])
  const { problem = null, quota } = check?.kind === 'checked' ? check : {}
  const found = {
    checkedAt: sql`clock_timestamp()`,
    ...(check?.kind !== 'unreadable' && { problem, quotaLeft: quota?.left ?? null, quotaTotal: quota?.total ?? null }),
    isRefreshable: row.expiresAt === null ? null : isRefreshable(network, account),
    hasApp,
  }
  await database.db
    .insert(accountChecks)
    .values({ connectionId, brandId: row.brandId, ...found })
    .onConflictDoUpdate({ target: accountChecks.connectionId, set: found })
}

/** A refused token is replaced, or the account is signed out, as it would be by a post. */
async function askNetwork(
  work: Work,
  { id, brandId }: Row,
  network: Network,
  account: Account,
): Promise<AccountCheck | null> {
  const { config, outbound } = work
  const outside = outsideOf(config, publicUrlOfJob('/', config), outbound)
  const ask = async (current: Account) =>
    (await network.checkAccount?.({
      account: current,
      outside,
      video: videoOf(work, { brandId }),
      signal: AbortSignal.timeout(config.PROVIDER_TIMEOUT_MS),
    })) ?? null
  const first = await ask(account)
  if (first?.kind !== 'unauthorized') return first
  const renewal = await renewInJob(work, { id, network, refused: account })
  if (renewal.kind !== 'renewed') return { kind: 'unreadable' }
  const second = await ask({ ...account, tokens: renewal.tokens })
  if (second?.kind !== 'unauthorized') return second
  return { kind: 'checked', problem: { code: 'provider_refused', message: second.message } }
}

/** Null when the network needs none, or the gateway can’t say. */
async function hasOwnApp(
  { gateway }: Work,
  { provider, connect }: Network,
  { tokens }: Account,
): Promise<boolean | null> {
  const { organizationId } = tokens
  if (connect.by !== 'authorize' || !connect.needsApp || organizationId === undefined) return null
  const apps = await readApps({ gateway }, organizationId)
  return apps && apps.has(provider)
}
