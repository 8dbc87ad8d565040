import { eq } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { transact } from '#lib/db.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import type { Provider } from '../../contract.ts'
import { networkOf } from '../../networks/index.ts'
import { outsideOf } from '../../networks/outside.ts'
import { connections } from '../../schema.ts'
import { openAccount, renewTokens } from './tokens.ts'

/** Those whose access tokens live for an hour or two (SOC-07). */
const refreshed: readonly Provider[] = ['x', 'youtube']
/** Tokens that live longer than this are still good for an upload. */
const aheadMs = 5 * 60_000

type RefreshCall = Pick<
  Call,
  'db' | 'config' | 'events' | 'gateway' | 'now' | 'outbound' | 'queue' | 'request' | 'secrets'
>

/** Tokens that are still good stay. @throws {Problem} 404, 409 `not_refreshable` or `signed_out`, 502, 503 */
export async function refreshAccount(
  call: RefreshCall,
  id: string,
): Promise<{ refreshed: boolean; expiresAt: Date | null }> {
  const { config, db, gateway, now, outbound, request, secrets } = call
  const row = await find(db, id)
  const network = row && networkOf(row.provider)
  if (!row) throw notFound('account')
  if (!network?.renew || !refreshed.includes(row.provider))
    throw conflict('not_refreshable', 'Only tokens of X and YouTube accounts are refreshed here.')
  if (row.health !== 'ok') throw signedOut(network.name)
  if (row.expiresAt === null || row.expiresAt.getTime() - now().getTime() > aheadMs)
    return { refreshed: false, expiresAt: row.expiresAt }
  const renewal = await renewTokens({
    emitting: call,
    database: { transaction: (work) => transact(db, work) },
    secrets,
    credentials: gateway.social,
    outside: outsideOf(config, request.url.origin, outbound),
    network,
    connectionId: id,
    refused: openAccount(secrets, row),
    message: `${network.name} no longer accepts the account’s token.`,
    timeoutMs: config.PROVIDER_TIMEOUT_MS,
  })
  if (renewal.kind === 'signed_out') throw signedOut(network.name)
  if (renewal.kind === 'later') throw new Problem(502, 'provider_error', renewal.message)
  return { refreshed: true, expiresAt: (await find(db, id))?.expiresAt ?? null }
}

const signedOut = (name: string): Problem =>
  conflict('signed_out', `${name} signed the account out. Its owner has to connect it again.`)

async function find(db: RefreshCall['db'], id: string) {
  const [row] = await db.select().from(connections).where(eq(connections.id, id))
  return row
}
