import { and, eq, lte, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { posts } from '../schema.ts'

/** Makes drafts of the posts that are due by now, and answers how many: after a restore they may have gone out before. */
export async function holdOverdue(db: Database, now: Date): Promise<number> {
  const held = await db
    .update(posts)
    .set({ status: 'draft', scheduledAt: null, dueAt: null, waitingFor: null, version: sql`${posts.version} + 1` })
    .where(and(eq(posts.status, 'scheduled'), lte(posts.dueAt, now)))
    .returning({ id: posts.id })
  return held.length
}
