import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { sealContext } from '#lib/sealed.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { Account, Network, Renewal, Tokens } from '../networks/network.ts'
import type { Outside } from '../networks/outside.ts'
import { emitSignedOut } from '../events.ts'
import { connections } from '../schema.ts'

const contextOf = (id: string): string => sealContext(connections.sealedTokens, id)
const Kept = z.record(z.string(), z.string())

/** Seals what an account is acted for with; null where nothing is needed. */
export const sealTokens = (secrets: Secrets, connectionId: string, tokens: Tokens): string | null =>
  Object.keys(tokens).length === 0 ? null : secrets.seal(JSON.stringify(tokens), contextOf(connectionId))

/** A connection's row as networks are given it. */
export interface ConnectionRow {
  id: string
  externalId: string
  /** The server that its calls go to. */
  host: string
  metadata: Record<string, unknown>
  sealedTokens: string | null
}

/** The account of a connection with its tokens opened. */
export const accountOf = (secrets: Secrets, { id, externalId, metadata, sealedTokens }: ConnectionRow): Account => ({
  externalId,
  metadata,
  tokens: sealedTokens === null ? {} : Kept.parse(JSON.parse(secrets.open(sealedTokens, contextOf(id)))),
})

interface Renewing {
  emitting: EmitDependencies
  database: { transaction<Result>(work: (tx: Database) => Promise<Result>): Promise<Result> }
  secrets: Secrets
  outside: Outside
  network: Network
  connectionId: string
  /** The account with the tokens that the network no longer took. */
  refused: Account
  /** What it said. */
  message: string
  /** Of the call for new tokens. */
  timeoutMs: number
}

/** Milliseconds between looks at a renewal that is under way elsewhere. */
const lookAgain = 100

/**
 * New tokens in place of refused ones, or the account marked as signed out. Of all callers on all servers one asks the
 * network, since a refresh token is good for one use; the others wait for what it gets. New tokens are committed before
 * they are used, and no transaction is open while the network answers.
 */
export async function renewTokens(renewing: Renewing): Promise<Renewal> {
  // A renewal that outlasts this belongs to a process that died: its caller takes it over.
  const lifeMs = 2 * renewing.timeoutMs + 1_000
  const end = performance.now() + 2 * lifeMs
  for (;;) {
    const claim = await renewing.database.transaction((tx) => claimRenewal(tx, renewing, lifeMs))
    if (claim.kind === 'claimed') return renew(renewing, claim)
    if (claim.kind !== 'busy') return claim
    if (performance.now() > end) return { kind: 'later', message: 'The tokens of the account are being renewed.' }
    await Bun.sleep(lookAgain)
  }
}

interface Claimed {
  kind: 'claimed'
  owner: string
  /** As it is kept: its tokens are traded. */
  account: Account
}

/** Makes the caller the one who renews, unless that is done or under way already. */
async function claimRenewal(
  tx: Database,
  { secrets, connectionId, refused, message }: Renewing,
  lifeMs: number,
): Promise<Claimed | { kind: 'busy' } | Renewal> {
  const row = await lock(tx, connectionId)
  if (!row) return gone
  const account = accountOf(secrets, row)
  if (!Bun.deepEquals(account.tokens, refused.tokens)) return { kind: 'renewed', tokens: account.tokens }
  if (row.health === 'signed_out') return { kind: 'signed_out', message }
  if (row.isRenewing) return { kind: 'busy' }
  const owner = newId()
  const renewalEndsAt = sql`clock_timestamp() + ${lifeMs} * interval '1 millisecond'`
  await tx.update(connections).set({ renewalOwner: owner, renewalEndsAt }).where(eq(connections.id, connectionId))
  return { kind: 'claimed', owner, account }
}

async function renew(renewing: Renewing, { owner, account }: Claimed): Promise<Renewal> {
  const { database, network, outside, timeoutMs, message } = renewing
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const renewal: Renewal = (await network.renew?.({ account, outside, signal })) ?? { kind: 'signed_out', message }
    return await database.transaction((tx) => settleRenewal(tx, renewing, { owner, account, renewal }))
  } catch (error) {
    // The first error is the useful one. Without a release the claim expires.
    await database.transaction((tx) => releaseRenewal(tx, renewing.connectionId, owner)).catch(() => {})
    throw error
  }
}

/** Releases a claim, unless another server took it over. */
const releaseRenewal = (tx: Database, connectionId: string, owner: string) =>
  tx
    .update(connections)
    .set({ renewalOwner: null, renewalEndsAt: null })
    .where(and(eq(connections.id, connectionId), eq(connections.renewalOwner, owner)))

/**
 * Saves the network's response, unless the account was reconnected and has other tokens. New tokens are saved even when
 * another server took the renewal over, since the network accepts no others.
 */
async function settleRenewal(
  tx: Database,
  { emitting, secrets, connectionId }: Renewing,
  { owner, account, renewal }: { owner: string; account: Account; renewal: Renewal },
): Promise<Renewal> {
  const row = await lock(tx, connectionId)
  if (!row) return gone
  const isOwner = row.renewalOwner === owner
  const { tokens } = accountOf(secrets, row)
  const isReplaced = !Bun.deepEquals(tokens, account.tokens)
  const ended = { renewalOwner: null, renewalEndsAt: null }
  const set = (change: Partial<typeof connections.$inferInsert>) =>
    tx.update(connections).set(change).where(eq(connections.id, connectionId))
  if (renewal.kind === 'renewed' && !isReplaced)
    await set({ ...ended, health: 'ok', sealedTokens: sealTokens(secrets, connectionId, renewal.tokens) })
  else if (isOwner) {
    const isSignedOut = renewal.kind === 'signed_out' && !isReplaced
    await set({ ...ended, ...(isSignedOut && { health: 'signed_out' }) })
    if (isSignedOut) await emitSignedOut(tx, emitting, row)
  }
  return isReplaced ? { kind: 'renewed', tokens } : renewal
}

const gone = { kind: 'signed_out', message: 'The account is no longer connected.' } as const

/** The lock lets attempts refer to the row. */
async function lock(tx: Database, connectionId: string) {
  const isRenewing = sql<boolean>`coalesce(${connections.renewalEndsAt} > clock_timestamp(), false)`
  const [row] = await tx
    .select({ ...getTableColumns(connections), isRenewing })
    .from(connections)
    .where(eq(connections.id, connectionId))
    .for('no key update')
  return row
}
