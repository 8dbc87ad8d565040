import { asc, getTableColumns, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { brands } from '../schema.ts'
import { reachedBrand } from '../tenant.ts'
import type { BrandRow } from './brands.ts'

/** A brand with how much hangs on it. */
export type BrandOverview = BrandRow & {
  /** Accounts through which it publishes. */
  accounts: number
  posts: number
  /** Of the posts, those still to go out. */
  scheduled: number
}

// Names as they stand in the database: drizzle leaves out tables where a query has one only, and this has two.
const accounts = sql<number>`(select count(*)::int from social.connections where brand_id = brands.id and active)`
const postsOf = sql<number>`(select count(*)::int from social.posts where brand_id = brands.id)`
const scheduled = sql<number>`(select count(*)::int from social.posts
  where brand_id = brands.id and status = 'scheduled')`

/** Every brand that the actor reaches with its numbers, by name. */
export const overview = (db: Database, actor: Actor): Promise<BrandOverview[]> =>
  db
    .select({ ...getTableColumns(brands), accounts, posts: postsOf, scheduled })
    .from(brands)
    .where(reachedBrand(actor))
    .orderBy(asc(brands.name), asc(brands.id))
