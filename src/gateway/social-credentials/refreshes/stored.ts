import { and, eq, sql } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import type { TokenHolder } from '../../contract/social.ts'
import { socialTokenRefreshes as table } from '../../schema.ts'

interface SealedResponse {
  id: string
  sealedResponse: string
}

/** One refresh of the tokens of an account. */
export interface RefreshKey {
  account: TokenHolder
  tokenDigest: string
}

type Claim =
  | { kind: 'claimed'; id: string }
  /** Its response is stored. */
  | ({ kind: 'answered'; ageSeconds: number } & SealedResponse)
  /** A server is asking the network. */
  | { kind: 'busy' }

/** For which a response is returned again. */
export const keptMs = 24 * 60 * 60_000

const past = (ms: number) => sql`clock_timestamp() - ${ms} * interval '1 millisecond'`
const future = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`

/** Also deletes the response that brought the refresh token: who uses it has stored it. */
export const claimRefresh = (
  db: Database,
  { account: { id: accountId, organizationId }, tokenDigest }: RefreshKey,
  { owner, leaseMs }: { owner: string; leaseMs: number },
): Promise<Claim> =>
  transact(db, async (tx) => {
    await tx.delete(table).where(and(eq(table.accountId, accountId), eq(table.nextDigest, tokenDigest)))
    const claim = { owner, claimEndsAt: future(leaseMs), createdAt: sql`clock_timestamp()` }
    const [claimed] = await tx
      .insert(table)
      .values({ accountId, organizationId, tokenDigest, ...claim })
      .onConflictDoUpdate({
        target: [table.accountId, table.organizationId, table.tokenDigest],
        set: { ...claim, sealedResponse: null, nextDigest: null, respondedAt: null },
        setWhere: sql`${table.claimEndsAt} < clock_timestamp() OR ${table.createdAt} < ${past(keptMs)}`,
      })
      .returning({ id: table.id })
    if (claimed) return { kind: 'claimed', id: claimed.id }
    const [found] = await tx
      .select({
        id: table.id,
        sealedResponse: table.sealedResponse,
        ageSeconds: sql`extract(epoch FROM clock_timestamp() - ${table.respondedAt})`.mapWith(Number),
      })
      .from(table)
      .where(
        and(
          eq(table.accountId, accountId),
          eq(table.organizationId, organizationId),
          eq(table.tokenDigest, tokenDigest),
        ),
      )
    if (!found || found.sealedResponse === null) return { kind: 'busy' }
    return { kind: 'answered', ...found, sealedResponse: found.sealedResponse }
  })

/** Also when another server took the claim over: the network accepts no other tokens. Not after a revocation. */
export async function storeResponse(
  db: Database,
  id: string,
  response: { sealedResponse: string; nextDigest: string },
): Promise<void> {
  const ended = { owner: null, claimEndsAt: null }
  await db
    .update(table)
    .set({ ...response, ...ended, respondedAt: sql`clock_timestamp()` })
    .where(eq(table.id, id))
}

export async function releaseClaim(db: Database, id: string, owner: string): Promise<void> {
  await db.delete(table).where(and(eq(table.id, id), eq(table.owner, owner)))
}

/** The responses for an account. */
export async function listStored(db: Database, accountId: string): Promise<SealedResponse[]> {
  const { id, sealedResponse } = table
  const rows = await db.select({ id, sealedResponse }).from(table).where(eq(table.accountId, accountId))
  return rows.flatMap((row) => (row.sealedResponse === null ? [] : [{ ...row, sealedResponse: row.sealedResponse }]))
}

/** A refresh that is in progress then stores nothing. */
export async function forgetRefreshes(db: Database, accountId: string): Promise<void> {
  await db.delete(table).where(eq(table.accountId, accountId))
}
