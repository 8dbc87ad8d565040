import { and, eq, sql } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { transact, type Database } from '#lib/db.ts'
import { providerCredentials as table } from '../schema.ts'
import { endCredentialAction } from './actions.ts'

/** Successful calls after which a new key replaces the old one (GTW-03). */
export const neededCalls = 100
export const rotationMs = 24 * 60 * 60_000

/** Counts a successful call of an incoming key, and ends its rotation after the last one that it needs. */
export async function countProof(
  { db, upstreams, now }: Pick<Call, 'db' | 'upstreams' | 'now'>,
  id: string,
): Promise<void> {
  const [row] = await db
    .update(table)
    .set({ provedCalls: sql`${table.provedCalls} + 1` })
    .where(and(eq(table.id, id), eq(table.status, 'incoming')))
    .returning({ calls: table.provedCalls })
  if (!row || row.calls < neededCalls) return
  await transact(db, async (tx) => {
    if (await replaceOldKey(tx, id, now())) await upstreams.forgetCredentials(tx)
  })
}

/** Makes an incoming key the active one and deletes the old one. False when its rotation is over already. */
export async function replaceOldKey(tx: Database, id: string, at: Date): Promise<boolean> {
  const [incoming] = await tx
    .select()
    .from(table)
    .where(and(eq(table.id, id), eq(table.status, 'incoming')))
    .for('update')
  if (!incoming) return false
  const { organizationId, provider, mode } = incoming
  const [old] = await tx
    .delete(table)
    .where(
      and(
        sql`${table.organizationId} IS NOT DISTINCT FROM ${organizationId}`,
        eq(table.provider, provider),
        eq(table.mode, mode),
        eq(table.status, 'active'),
      ),
    )
    .returning({ createdAt: table.createdAt })
  await tx
    .update(table)
    .set({
      status: 'active',
      provedCalls: 0,
      rotationEndsAt: null,
      rotatedAt: at,
      ...(old && { createdAt: old.createdAt }),
    })
    .where(eq(table.id, id))
  await endCredentialAction(tx, incoming)
  return true
}
