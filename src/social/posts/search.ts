import { and, desc, eq, ilike } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { containing, type Database } from '#lib/db.ts'
import { brands, posts } from '../schema.ts'
import { reachedBrand } from '../tenant.ts'

/**
 * How many posts of each brand are looked through, newest first. An index of all words would make writing a post
 * several times as expensive. Older posts are found by the search of the list.
 */
const lookedThrough = 1000

/** The newest posts that the actor reaches with this text in them, in any case. */
export function searchPosts(db: Database, actor: Actor, words: string, limit: number) {
  const { id, brandId, text, status, sortAt } = posts
  const newest = db
    .select({ id, brandId, text, status, sortAt })
    .from(posts)
    .where(eq(brandId, brands.id))
    .orderBy(desc(sortAt), desc(id))
    .limit(lookedThrough)
    .as('newest')
  return db
    .select({ id: newest.id, brandId: newest.brandId, text: newest.text, status: newest.status })
    .from(brands)
    .crossJoinLateral(newest)
    .where(and(reachedBrand(actor), ilike(newest.text, containing(words))))
    .orderBy(desc(newest.sortAt), desc(newest.id))
    .limit(limit)
}
