import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { sealContext } from '#lib/sealed.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { Account, Network, Renewal, Tokens } from '../networks/network.ts'
import type { Outside } from '../networks/outside.ts'
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
  database: { transaction<Result>(work: (tx: Database) => Promise<Result>): Promise<Result> }
  secrets: Secrets
  outside: Outside
  network: Network
  connectionId: string
  /** What the network no longer took. */
  refused: Account
  /** What it said. */
  message: string
  timeoutMs: number
}

/**
 * New tokens in place of refused ones, or the account marked as signed out. Under the row's lock, so that ten who need
 * it renew once: a renewal's token is good for one use. The lock lets attempts refer to the row, and lasts one call, of
 * at most `timeoutMs`.
 */
export function renewTokens({
  database,
  secrets,
  network,
  connectionId,
  refused,
  ...rest
}: Renewing): Promise<Renewal> {
  return database.transaction(async (tx) => {
    const [row] = await tx.select().from(connections).where(eq(connections.id, connectionId)).for('no key update')
    if (!row) return { kind: 'signed_out', message: 'The account is no longer connected.' }
    const account = accountOf(secrets, row)
    if (!Bun.deepEquals(account.tokens, refused.tokens)) return { kind: 'renewed', tokens: account.tokens }
    const { outside, timeoutMs, message } = rest
    const signal = AbortSignal.timeout(timeoutMs)
    const renewal: Renewal = (await network.renew?.({ account, outside, signal })) ?? { kind: 'signed_out', message }
    if (renewal.kind === 'later') return renewal
    const change =
      renewal.kind === 'renewed'
        ? { sealedTokens: sealTokens(secrets, connectionId, renewal.tokens) }
        : { health: 'signed_out' as const }
    await tx.update(connections).set(change).where(eq(connections.id, connectionId))
    return renewal
  })
}
