import { and, eq, ne } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { postChecks } from '../schema.ts'

/** Of a post that is no longer scheduled. A problem stays until the next run has resolved its action. */
export const deleteCheck = (tx: Database, postId: string) =>
  tx.delete(postChecks).where(and(eq(postChecks.postId, postId), ne(postChecks.state, 'problem')))
