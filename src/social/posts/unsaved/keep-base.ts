import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { unsavedPosts } from '../../schema.ts'

/** After a change of a post other than of its content: unsaved changes to it still fit. */
export async function keepBase(db: Database, postId: string, from: number, to: number): Promise<void> {
  const based = and(eq(unsavedPosts.postId, postId), eq(unsavedPosts.baseVersion, from))
  await db.update(unsavedPosts).set({ baseVersion: to }).where(based)
}
