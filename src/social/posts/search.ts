import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { list, type ListedPost } from './list.ts'

/** The newest posts of the organization that have these words in them, in any case. */
export const searchPosts = async (db: Database, actor: Actor, q: string, limit: number): Promise<ListedPost[]> =>
  (await list(db, actor, { q, limit })).items
