import { and, eq, gt, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { DatabaseHandle } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { providers } from '../../contract.ts'
import { connections, firstComments, publishAttempts } from '../../schema.ts'
import { canRevoke } from '../needs-sign-in.ts'
import { revokeAccess } from './revoke.ts'

type Row = typeof connections.$inferSelect

const timeoutMs = 30_000

/** Revokes the tokens of a deactivated account at its network. Retried for about a day; then they are only deleted here. */
export const revokeDeactivated = job({
  name: 'social.revoke-deactivated-account',
  input: z.object({ id: Id }),
  retries: 14,
  concurrency: 4,
  uniqueBy: ({ id }) => id,
  run: async (work) => {
    const row = await findDeactivated(work.database, work.input.id)
    if (!row) return
    if (await isInUse(work.database, row)) throw new Error('A post is still being sent with the tokens')
    const signal = AbortSignal.timeout(timeoutMs)
    if (!(await revokeAccess(work, row, { sharedWith: 'active', signal })))
      throw new Error(`${row.provider} didn’t revoke the tokens`)
    await destroyRevoked(work.database, row)
  },
  onRetriesExhausted: async ({ database, input: { id } }) => {
    await destroyTokens(database, id)
  },
})

/** Undefined when it was reconnected in the meantime, or has no tokens any more. */
async function findDeactivated({ db }: DatabaseHandle, id: string): Promise<Row | undefined> {
  const [row] = await db.select().from(connections).where(eq(connections.id, id))
  return row && !row.active && row.sealedTokens !== null ? row : undefined
}

/** New tokens of a refresh would be lost, and an attempt that a server left has to ask the network what became of it. */
async function isInUse({ db }: DatabaseHandle, row: Row): Promise<boolean> {
  const isPublishing = and(eq(publishAttempts.connectionId, row.id), eq(publishAttempts.state, 'sending'))
  if ((await db.$count(publishAttempts, isPublishing)) > 0) return true
  const isCommenting = and(
    eq(firstComments.brandId, row.brandId),
    eq(firstComments.provider, row.provider),
    eq(firstComments.externalAccount, row.externalId),
    eq(firstComments.state, 'sending'),
  )
  if ((await db.$count(firstComments, isCommenting)) > 0) return true
  return row.renewalEndsAt !== null && (await db.$count(connections, and(eq(connections.id, row.id), isRenewing))) > 0
}

const isRenewing = sql`${connections.renewalEndsAt} > clock_timestamp()`

/** @throws when they were refreshed in the meantime: the new ones have to be revoked, too */
async function destroyRevoked(database: DatabaseHandle, { id, sealedTokens }: Row): Promise<void> {
  const destroyed = await destroyTokens(database, id, sql`${connections.sealedTokens} = ${sealedTokens}`)
  if (destroyed === 0 && (await findDeactivated(database, id))) throw new Error('The tokens were refreshed meanwhile')
}

/** @returns how many accounts had them */
async function destroyTokens({ db }: DatabaseHandle, id: string, which?: SQL): Promise<number> {
  const destroyed = await db
    .update(connections)
    .set({ sealedTokens: null, expiresAt: null, health: 'signed_out', renewalOwner: null, renewalEndsAt: null })
    .where(and(eq(connections.id, id), eq(connections.active, false), isNotNull(connections.sealedTokens), which))
    .returning({ id: connections.id })
  return destroyed.length
}

const batchSize = 500
/** Longer than the retries of a revocation. */
const forgottenAfter = sql`interval '2 days'`

/** Enqueues accounts that were deactivated before tokens were revoked. */
export const revokeForgotten = job({
  name: 'social.revoke-forgotten-accounts',
  input: z.object({}),
  run: async ({ database: { db }, queue }) => {
    for (let last: string | undefined; ;) {
      const rows = await db
        .select({ id: connections.id })
        .from(connections)
        .where(
          and(
            eq(connections.active, false),
            isNotNull(connections.sealedTokens),
            inArray(connections.provider, providers.filter(canRevoke)),
            sql`${connections.deactivatedAt} < now() - ${forgottenAfter}`,
            last ? gt(connections.id, last) : undefined,
          ),
        )
        .orderBy(connections.id)
        .limit(batchSize)
      for (const { id } of rows) await queue.enqueue(db, revokeDeactivated, { id })
      if (rows.length < batchSize) return
      last = rows.at(-1)?.id
    }
  },
})
