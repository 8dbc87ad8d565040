import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { DatabaseHandle } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { connections, publishAttempts } from '../../schema.ts'
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
    await destroyTokens(work.database, row)
  },
  onRetriesExhausted: async ({ database, input: { id } }) => {
    const row = await findDeactivated(database, id)
    if (row) await destroyTokens(database, row)
  },
})

/** Undefined when it was reconnected in the meantime, or has no tokens any more. */
async function findDeactivated({ db }: DatabaseHandle, id: string): Promise<Row | undefined> {
  const [row] = await db.select().from(connections).where(eq(connections.id, id))
  return row && !row.active && row.sealedTokens !== null ? row : undefined
}

/** New tokens of a refresh would be lost, and an attempt that a server left has to ask the network what became of it. */
async function isInUse({ db }: DatabaseHandle, { id, renewalEndsAt }: Row): Promise<boolean> {
  const sending = and(eq(publishAttempts.connectionId, id), eq(publishAttempts.state, 'sending'))
  if ((await db.$count(publishAttempts, sending)) > 0) return true
  return renewalEndsAt !== null && (await db.$count(connections, and(eq(connections.id, id), isRenewing))) > 0
}

const isRenewing = sql`${connections.renewalEndsAt} > clock_timestamp()`

async function destroyTokens({ db }: DatabaseHandle, { id, sealedTokens }: Row): Promise<void> {
  await db
    .update(connections)
    .set({ sealedTokens: null, expiresAt: null, health: 'signed_out', renewalOwner: null, renewalEndsAt: null })
    .where(
      and(eq(connections.id, id), eq(connections.active, false), sql`${connections.sealedTokens} = ${sealedTokens}`),
    )
}
