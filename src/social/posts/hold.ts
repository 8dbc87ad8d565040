import { and, eq, sql } from 'drizzle-orm'
import { databaseTime, transact, type Database } from '#lib/db.ts'
import { posts, publishAttempts, type AttemptEvent } from '../schema.ts'
import { nextVersion } from './next-version.ts'
import { asDraft } from './transitions.ts'

/**
 * Some may have been published before a restore. Open attempts become `unknown`: they lock post and account, and
 * the server that sent them can't finish them here.
 */
export const holdOverdue = (db: Database): Promise<number> =>
  transact(db, async (tx) => {
    const held = await tx
      .update(posts)
      .set({ ...asDraft, ...nextVersion(null) })
      .where(and(eq(posts.status, 'scheduled'), sql`${posts.scheduledAt} <= clock_timestamp()`))
      .returning({ id: posts.id })
    const event: AttemptEvent = {
      at: (await databaseTime(tx)).toISOString(),
      what: 'restored',
      detail: 'The backup was created while this post was being sent. Check the account before you publish it again.',
    }
    await tx
      .update(publishAttempts)
      .set({
        state: 'unknown',
        events: sql`${publishAttempts.events} || ${JSON.stringify([event])}::jsonb`,
        settledAt: sql`clock_timestamp()`,
      })
      .where(eq(publishAttempts.state, 'sending'))
    return held.length
  })
