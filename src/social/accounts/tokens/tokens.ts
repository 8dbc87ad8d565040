import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { SocialCredentials } from '#gateway'
import type { Account, Network, Renewal, Tokens } from '../../networks/network.ts'
import type { Outside } from '../../networks/outside.ts'
import { emitSignedOut } from '../../events.ts'
import { enqueueActions } from '../../raised/update-actions.ts'
import { connections } from '../../schema.ts'
import { recordAccountEvent } from '../history/record.ts'
import { reportAccounts } from '../report.ts'
import { findOrganization } from './organization.ts'

const contextOf = (id: string): string => sealContext(connections.sealedTokens, id)
const StoredTokens = z.record(z.string(), z.string())

/** Seals the tokens of an account; null when it needs none. */
export const sealTokens = (secrets: Secrets, connectionId: string, tokens: Tokens): string | null =>
  Object.keys(tokens).length === 0 ? null : secrets.seal(JSON.stringify(tokens), contextOf(connectionId))

export interface ConnectionRow {
  id: string
  externalId: string
  host: string
  metadata: Record<string, unknown>
  sealedTokens: string | null
  /** When the network stops accepting the tokens; null when it doesn’t say. */
  expiresAt: Date | null
}

export const openAccount = (secrets: Secrets, { id, externalId, metadata, sealedTokens }: ConnectionRow): Account => ({
  externalId,
  metadata,
  tokens: sealedTokens === null ? {} : StoredTokens.parse(JSON.parse(secrets.open(sealedTokens, contextOf(id)))),
})

interface TokenRenewal {
  emitting: EmitDependencies
  database: { transaction<Result>(work: (tx: Database) => Promise<Result>): Promise<Result> }
  secrets: Secrets
  credentials: SocialCredentials
  outside: Outside
  network: Network
  connectionId: string
  refused: Account
  message: string
  timeoutMs: number
}

/**
 * The gateway can ask the network twice, during a rotation of its app or for a nonce. Without its response, a refresh token that can be
 * used once is lost, and with it the account.
 */
const limitOf = ({ network: { connect }, timeoutMs }: Pick<TokenRenewal, 'network' | 'timeoutMs'>): number =>
  connect.by === 'authorize' && (connect.needsApp || connect.form) ? 3 * timeoutMs : timeoutMs

/** Between checks of another process's renewal. */
const pollMs = 100

/**
 * Only one caller on all servers asks the network, since a refresh token can be used once. New tokens are committed
 * before they are used, and no transaction is open while the network responds.
 */
export async function renewTokens(renewing: TokenRenewal): Promise<Renewal> {
  // A longer renewal belongs to a process that died: another caller takes it over.
  const lifeMs = 2 * limitOf(renewing) + 1_000
  const end = performance.now() + 2 * lifeMs
  for (;;) {
    const claim = await renewing.database.transaction((tx) => claimRenewal(tx, renewing, lifeMs))
    if (claim.kind === 'claimed') {
      const renewal = await renew(renewing, claim)
      // Of a refresh whose response was lost here: since then, the access token has expired.
      const isOver = renewal.kind === 'renewed' && renewal.expiresInSeconds === 0
      return isOver ? renewTokens({ ...renewing, refused: { ...claim.account, tokens: renewal.tokens } }) : renewal
    }
    if (claim.kind !== 'busy') return claim
    if (performance.now() > end)
      return { kind: 'later', message: 'The account’s tokens are being refreshed. Try again in a moment.' }
    await Bun.sleep(pollMs)
  }
}

interface RenewalClaim {
  kind: 'claimed'
  owner: string
  account: Account
  organizationId: string
}

async function claimRenewal(
  tx: Database,
  { secrets, connectionId, refused, message }: TokenRenewal,
  lifeMs: number,
): Promise<RenewalClaim | { kind: 'busy' } | Renewal> {
  const row = await lockConnection(tx, connectionId)
  if (!row || haveBeenDestroyed(row, refused)) return disconnected
  const account = openAccount(secrets, row)
  if (!Bun.deepEquals(account.tokens, refused.tokens)) return { kind: 'renewed', tokens: account.tokens }
  if (row.health === 'signed_out') return { kind: 'signed_out', message }
  if (row.isRenewing) return { kind: 'busy' }
  const owner = newId()
  const renewalEndsAt = sql`clock_timestamp() + ${lifeMs} * interval '1 millisecond'`
  await tx.update(connections).set({ renewalOwner: owner, renewalEndsAt }).where(eq(connections.id, connectionId))
  return { kind: 'claimed', owner, account, organizationId: await findOrganization(tx, row) }
}

async function renew(renewing: TokenRenewal, { owner, account, organizationId }: RenewalClaim): Promise<Renewal> {
  const { connectionId: id, credentials, database, network, outside, message } = renewing
  const signal = AbortSignal.timeout(limitOf(renewing))
  try {
    const renewal: Renewal = (await network.renew?.({
      account,
      credentials,
      holder: { id, organizationId },
      outside,
      signal,
    })) ?? {
      kind: 'signed_out',
      message,
    }
    return await database.transaction((tx) => settleRenewal(tx, renewing, { owner, account, renewal }))
  } catch (error) {
    // The first error is the useful one. Without a release the claim expires.
    await database.transaction((tx) => releaseRenewal(tx, renewing.connectionId, owner)).catch(() => {})
    throw error
  }
}

const releaseRenewal = (tx: Database, connectionId: string, owner: string) =>
  tx
    .update(connections)
    .set({ renewalOwner: null, renewalEndsAt: null })
    .where(and(eq(connections.id, connectionId), eq(connections.renewalOwner, owner)))

/** New tokens are saved even when another server took the renewal over, since the network accepts no others. */
async function settleRenewal(
  tx: Database,
  { emitting, secrets, connectionId }: TokenRenewal,
  { owner, account, renewal }: { owner: string; account: Account; renewal: Renewal },
): Promise<Renewal> {
  const row = await lockConnection(tx, connectionId)
  if (!row || haveBeenDestroyed(row, account)) return disconnected
  const isOwner = row.renewalOwner === owner
  const { tokens } = openAccount(secrets, row)
  const isReplaced = !Bun.deepEquals(tokens, account.tokens)
  const ended = { renewalOwner: null, renewalEndsAt: null }
  const set = (change: PgUpdateSetSource<typeof connections>) =>
    tx.update(connections).set(change).where(eq(connections.id, connectionId))
  if (renewal.kind === 'renewed' && !isReplaced) {
    const { expiresInSeconds = null, signInEndsInSeconds } = renewal
    const expiresAt = afterSeconds(expiresInSeconds)
    // Networks that say no other end when they refresh keep the first.
    const end = typeof signInEndsInSeconds === 'number' && { signInEndsAt: afterSeconds(signInEndsInSeconds) }
    const sealedTokens = sealTokens(secrets, connectionId, renewal.tokens)
    await set({ ...ended, health: 'ok', sealedTokens, expiresAt, ...end })
    await recordAccountEvent(tx, row, { kind: 'refreshed' })
    if (row.health !== 'ok') {
      await reportAccounts(tx, emitting, eq(connections.id, connectionId))
      await enqueueActions(tx, emitting, row)
    }
  } else if (isOwner) {
    const isSignedOut = renewal.kind === 'signed_out' && !isReplaced
    await set({ ...ended, ...(isSignedOut && { health: 'signed_out' }) })
    if (renewal.kind === 'later')
      await recordAccountEvent(tx, row, { kind: 'refresh_failed', message: renewal.message })
    if (isSignedOut) {
      await recordAccountEvent(tx, row, { kind: 'signed_out', message: renewal.message })
      await reportAccounts(tx, emitting, eq(connections.id, connectionId))
      await emitSignedOut(tx, emitting, row)
      await enqueueActions(tx, emitting, row)
    }
  }
  return isReplaced ? { kind: 'renewed', tokens } : renewal
}

const afterSeconds = (seconds: number | null) =>
  seconds === null ? null : sql`clock_timestamp() + ${seconds} * interval '1 second'`

/** Its owner removed the app at the network (SOC-09): there are no other tokens, and what a renewal got is worthless. */
const haveBeenDestroyed = ({ sealedTokens }: Pick<ConnectionRow, 'sealedTokens'>, { tokens }: Account): boolean =>
  sealedTokens === null && Object.keys(tokens).length > 0

const disconnected = { kind: 'signed_out', message: 'The account is no longer connected. Reconnect it.' } as const

/** The lock allows attempts to reference the row. */
async function lockConnection(tx: Database, connectionId: string) {
  const isRenewing = sql<boolean>`coalesce(${connections.renewalEndsAt} > clock_timestamp(), false)`
  const [row] = await tx
    .select({ ...getTableColumns(connections), isRenewing })
    .from(connections)
    .where(eq(connections.id, connectionId))
    .for('no key update')
  return row
}
