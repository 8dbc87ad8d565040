import { and, eq, inArray, ne, notExists, sql } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { erasedAccountOf, erasedName, profilePattern } from '../accounts/erased.ts'
import { recordAccountEvent } from '../accounts/history/record.ts'
import { reportAccounts } from '../accounts/report.ts'
import { emitSignedOut } from '../events.ts'
import { enqueueActions } from '../raised/update-actions.ts'
import { accountEvents, connections, firstComments, posts, publishAttempts, rateWindows } from '../schema.ts'

type Row = typeof connections.$inferSelect
type Disconnecting = EmitDependencies & Pick<Call, 'now'>

/** The account’s owner removed our app: its tokens are worthless. A repeated call changes nothing. */
export async function deactivate(tx: Database, call: Disconnecting, ids: readonly string[]): Promise<void> {
  await signOut(tx, call, await lock(tx, ids))
}

async function signOut(tx: Database, call: Disconnecting, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    if (!row.active && row.sealedTokens === null) continue
    await tx
      .update(connections)
      .set({
        active: false,
        deactivatedAt: row.deactivatedAt ?? call.now(),
        health: 'signed_out',
        sealedTokens: null,
        expiresAt: null,
        renewalOwner: null,
        renewalEndsAt: null,
      })
      .where(eq(connections.id, row.id))
    await recordAccountEvent(tx, row, { kind: 'disconnected' })
    await enqueueActions(tx, call, row)
    await emitSignedOut(tx, call, row)
  }
  const ids = rows.map(({ id }) => id)
  await reportAccounts(tx, call, inArray(connections.id, ids))
}

/**
 * Erases what identifies the account. Its posts are the brand’s: they stay, without the account. So does the digest by
 * which a repeated request is recognized.
 */
export async function erase(tx: Database, call: Disconnecting, ids: readonly string[]): Promise<void> {
  const rows = await lock(tx, ids)
  const unnamed = rows.map((row) => ({ ...row, name: erasedName }))
  await signOut(tx, call, unnamed)
  for (const { id, brandId, provider, externalId, metadata } of rows) {
    const erased = erasedAccountOf(id)
    const { subjects, app } = metadata
    const kept = { subjects, app }
    const anonymous = { externalId: erased, name: erasedName, metadata: kept, scopes: [] }
    await tx.update(connections).set(anonymous).where(eq(connections.id, id))
    await tx.update(accountEvents).set({ message: null }).where(eq(accountEvents.connectionId, id))
    await tx
      .update(publishAttempts)
      .set({ externalAccount: erased, events: [] })
      .where(and(eq(publishAttempts.connectionId, id), ne(publishAttempts.state, 'sending')))
    await tx
      .update(posts)
      .set({
        externalAccount: erased,
        permalink: sql`case when ${posts.permalink} !~ ${profilePattern} then ${posts.permalink} end`,
      })
      .where(and(eq(posts.provider, provider), eq(posts.externalAccount, externalId), eq(posts.brandId, brandId)))
    const ofAccount = and(eq(firstComments.provider, provider), eq(firstComments.externalAccount, externalId))
    await tx
      .update(firstComments)
      .set({ externalAccount: erased, events: [] })
      .where(and(ofAccount, eq(firstComments.brandId, brandId)))
    await deleteUnusedWindows(tx, provider, externalId)
  }
}

/** Another organization can have connected the same account, whose limit it has to keep. */
const deleteUnusedWindows = (tx: Database, provider: Row['provider'], account: string): Promise<unknown> =>
  tx.delete(rateWindows).where(
    and(
      eq(rateWindows.provider, provider),
      eq(rateWindows.account, account),
      notExists(
        tx
          .select({ id: connections.id })
          .from(connections)
          .where(and(eq(connections.provider, provider), eq(connections.externalId, account))),
      ),
    ),
  )

const lock = (tx: Database, ids: readonly string[]): Promise<Row[]> =>
  tx
    .select()
    .from(connections)
    .where(inArray(connections.id, [...ids]))
    .orderBy(connections.id)
    .for('update')

/** Accounts of Instagram that a callback names. */
export const findBySubject = (db: Database, subject: string): Promise<Row[]> =>
  db
    .select()
    .from(connections)
    .where(and(eq(connections.provider, 'instagram'), sql`${connections.metadata} -> 'subjects' ? ${subject}`))
