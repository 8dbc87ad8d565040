import { and, count, desc, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import { prepared, type Database } from '#lib/db.ts'
import * as brands from '../brands/brands.ts'
import { testKeyNetwork } from '../access.ts'
import type { PostCounts, PostStatus } from '../contract.ts'
import { posts } from '../schema.ts'
import { conditionsOf, namesOf, valuesOf, type Condition, type Values } from './conditions.ts'
import type { PostCountFilter } from './filter.ts'
import { inSearchTurn, maxSearched } from './text-search.ts'

/** Counts stop here, which means more than 1,000: a brand can have any number of posts. */
const maxCount = 1_001

/** Posts that a count reads to test conditions that no index has. */
const maxRead = 10_000

const statuses = ['draft', 'scheduled', 'published', 'failed'] as const

/** Of an index: they need no row to be read that isn't counted. */
const indexed: readonly Condition[] = ['brandId', 'from', 'to']

/** @throws {Problem} 404 for a brand of another organization, 429, 503 */
export async function countByStatus(
  db: Database,
  actor: Actor,
  filter: PostCountFilter,
  signal?: AbortSignal,
): Promise<PostCounts> {
  await brands.get(db, actor, filter.brandId)
  const values = { ...valuesOf(filter), ...(actor.credential.test && { reachedBy: testKeyNetwork }) }
  const rows = await (values.q === undefined
    ? read(db, values)
    : inSearchTurn({ organizationId: organizationOf(actor), signal }, () => read(db, values)))
  const counts = { draft: 0, scheduled: 0, published: 0, failed: 0 }
  for (const row of rows) counts[row.status] = Math.min(row.posts, maxCount)
  return counts
}

function read(db: Database, values: Values): Promise<{ status: PostStatus; posts: number }[]> {
  const names = namesOf(values)
  const isIndexed = names.every((name) => indexed.includes(name))
  const query = prepared(db, ['posts', 'count', ...names].join('_'), () =>
    isIndexed ? countEach(db, names) : countRead(db, names),
  )
  return query.execute({ ...values })
}

function countEach(db: Database, names: readonly Condition[]) {
  const of = (status: PostStatus) => {
    const first = db
      .select({ id: posts.id })
      .from(posts)
      // A literal, so that PostgreSQL knows how rare the status is, and chooses the index of it.
      .where(and(sql`${posts.status} = ${sql.raw(`'${status}'`)}`, ...conditionsOf(names)))
      .orderBy(desc(posts.sortAt), desc(posts.id))
      .limit(maxCount)
      .as(`first_${status}`)
    return db.select({ status: sql<PostStatus>`${status}::text`.as('status'), posts: count().as('posts') }).from(first)
  }
  const [draft, scheduled, ...others] = statuses.map(of)
  if (!draft || !scheduled) throw new Error('There are no statuses to count')
  return unionAll(draft, scheduled, ...others)
}

function countRead(db: Database, names: readonly Condition[]) {
  const isCounted = and(...conditionsOf(names.filter((name) => !indexed.includes(name))))
  const newest = db
    .select({ status: posts.status, isCounted: sql<boolean>`(${isCounted})`.as('is_counted') })
    .from(posts)
    .where(and(...conditionsOf(names.filter((name) => indexed.includes(name)))))
    .orderBy(desc(posts.sortAt), desc(posts.id))
    .limit(names.includes('q') ? maxSearched : maxRead)
    .as('newest')
  return db
    .select({ status: newest.status, posts: count().as('posts') })
    .from(newest)
    .where(eq(newest.isCounted, true))
    .groupBy(newest.status)
}
