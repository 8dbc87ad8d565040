import { desc, eq, ilike } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import { containsPattern, type Database } from '#lib/db.ts'
import { brands, posts } from '../schema.ts'
import { reachedBrand } from '../access.ts'
import { inSearchTurn, maxSearched } from './text-search.ts'

/** Posts of each brand that are searched, newest first. Older ones are found by the search of the list. */
const maxPerBrand = 1000

/** Milliseconds for which the command palette waits for its turn: its other results should not wait longer. */
const waitMs = 1_000

interface SearchInput {
  words: string
  limit: number
  signal: AbortSignal
}

/** At most `maxSearched` posts are searched. @throws {Problem} as `inSearchTurn` */
export function searchPosts(db: Database, actor: Actor, { words, limit, signal }: SearchInput) {
  const { id, brandId, text, status, sortAt } = posts
  const ofBrand = db
    .select({ id, brandId, text, status, sortAt })
    .from(posts)
    .where(eq(brandId, brands.id))
    .orderBy(desc(sortAt), desc(id))
    .limit(maxPerBrand)
    .as('of_brand')
  const newest = db
    .select({
      id: ofBrand.id,
      brandId: ofBrand.brandId,
      text: ofBrand.text,
      status: ofBrand.status,
      at: ofBrand.sortAt,
    })
    .from(brands)
    .crossJoinLateral(ofBrand)
    .where(reachedBrand(actor))
    .orderBy(desc(ofBrand.sortAt), desc(ofBrand.id))
    .limit(maxSearched)
    .as('newest')
  return inSearchTurn({ organizationId: organizationOf(actor), waitMs, signal }, () =>
    db
      .select({ id: newest.id, brandId: newest.brandId, text: newest.text, status: newest.status })
      .from(newest)
      .where(ilike(newest.text, containsPattern(words)))
      .orderBy(desc(newest.at), desc(newest.id))
      .limit(limit),
  )
}
