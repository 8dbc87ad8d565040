import { asc, inArray, or, type SQL } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { posts } from '../schema.ts'

type PostRow = typeof posts.$inferSelect

/** Always in the same order, so that concurrent changes don't deadlock. */
export const lockPosts = (tx: Database, which: SQL | undefined): Promise<PostRow[]> =>
  tx.select().from(posts).where(which).orderBy(asc(posts.id)).for('update')

/** With all parts of their threads: a decision on one part can make the first one due. */
export function lockWithThreads(tx: Database, wanted: readonly Pick<PostRow, 'id' | 'threadId'>[]): Promise<PostRow[]> {
  const ids = wanted.map(({ id }) => id)
  const threadIds = [...new Set(wanted.flatMap(({ threadId }) => threadId ?? []))]
  return lockPosts(
    tx,
    or(inArray(posts.id, ids), threadIds.length > 0 ? inArray(posts.threadId, threadIds) : undefined),
  )
}
