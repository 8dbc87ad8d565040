import { and, desc, eq, ilike, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { containing, prepared, type Database } from '#lib/db.ts'
import { brands, posts } from '../schema.ts'
import { organizationOf } from '../tenant.ts'

const { placeholder } = sql

/**
 * How many posts of each brand are looked through, newest first. An index of all words would make writing a post
 * several times as dear; whoever looks for an older one has the search of the list.
 */
const lookedThrough = 1000

/** The newest posts of the organization that have this text in them, in any case. */
export const searchPosts = (db: Database, actor: Actor, text: string, limit: number) =>
  prepared(db, 'search_posts', () => ofOrganization(db)).execute({
    organization: organizationOf(actor),
    pattern: containing(text),
    limit,
  })

function ofOrganization(db: Database) {
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
    .where(and(eq(brands.organizationId, placeholder('organization')), ilike(newest.text, placeholder('pattern'))))
    .orderBy(desc(newest.sortAt), desc(newest.id))
    .limit(placeholder('limit'))
}
