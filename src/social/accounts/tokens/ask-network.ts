import type { Call } from '#lib/call.ts'
import { transact } from '#lib/db.ts'
import { openAccount, renewTokens, type ConnectionRow } from './tokens.ts'
import type { Account, CallWithVideo, Network, Unauthorized } from '../../networks/network.ts'
import { outsideOf } from '../../networks/outside.ts'
import { videoOf } from '../../publishing/send-context.ts'

export type AskingCall = Pick<
  Call,
  'db' | 'secrets' | 'config' | 'gateway' | 'identity' | 'outbound' | 'queue' | 'request' | 'events' | 'now'
>

interface NetworkAccount {
  network: Network
  connection: ConnectionRow & { brandId: string }
  /** What the account publishes to, where that isn't the account itself. */
  place?: Record<string, string> | null
}

/** Asks for an account, once more with renewed tokens when the network refuses them. */
export async function askNetwork<Outcome extends { kind: string }>(
  call: AskingCall,
  { network, connection, place }: NetworkAccount,
  ask: (asking: CallWithVideo) => Promise<Outcome | Unauthorized>,
): Promise<Outcome | Unauthorized | 'signed_out'> {
  const { config, request, secrets } = call
  const outside = outsideOf(config, request.url.origin, call.outbound)
  const timeoutMs = config.PROVIDER_TIMEOUT_MS
  const video = videoOf({ ...call, database: call }, connection)
  const askWith = (account: Account) => ask({ account, outside, video, signal: AbortSignal.timeout(timeoutMs) })
  const stored = openAccount(secrets, connection)
  const account = place ? { ...stored, metadata: { ...stored.metadata, ...place } } : stored
  const first = await askWith(account)
  if (!isUnauthorized(first)) return first
  const renewal = await renewTokens({
    emitting: call,
    database: { transaction: (work) => transact(call.db, work) },
    secrets,
    credentials: call.gateway.social,
    outside,
    network,
    connectionId: connection.id,
    refused: stored,
    message: first.message,
    timeoutMs,
  })
  if (renewal.kind === 'renewed') return askWith({ ...account, tokens: renewal.tokens })
  return renewal.kind === 'later' ? { ...first, message: renewal.message } : 'signed_out'
}

const isUnauthorized = (outcome: { kind: string }): outcome is Unauthorized => outcome.kind === 'unauthorized'
