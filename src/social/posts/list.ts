import { and, asc, desc, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { containing, prepared, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { decodeCursor, pageOf, type PageOf } from '#lib/paginate.ts'
import { Instant } from '#lib/time.ts'
import * as brands from '../brands/brands.ts'
import { practiceNetwork } from '../may.ts'
import type { PostFilter } from './input.ts'
import { brands as brandTable, posts } from '../schema.ts'
import { boundBrands, organizationOf } from '../tenant.ts'

const { dueAt: _, leaseOwner: __, externalAccount: ___, sortAt: ____, ...columns } = getTableColumns(posts)
const { placeholder } = sql

/** What a filter adds to the query; each value is a parameter of the prepared statement. */
const conditions = {
  brandId: sql`${posts.brandId} = ${placeholder('brandId')}`,
  status: sql`${posts.status} = ${placeholder('status')}`,
  provider: sql`${posts.provider} = ${placeholder('provider')}`,
  reachedBy: sql`${posts.provider} = ${placeholder('reachedBy')}`,
  authorId: sql`${posts.authorId} = ${placeholder('authorId')}`,
  tag: sql`${placeholder('tag')} = any(${posts.tags})`,
  from: sql`${posts.sortAt} >= ${placeholder('from')}::timestamptz`,
  to: sql`${posts.sortAt} < ${placeholder('to')}::timestamptz`,
  q: sql`${posts.text} ilike ${placeholder('q')}`,
  before: sql`(${posts.sortAt}, ${posts.id}) < (${placeholder('beforeTime')}::timestamptz, ${placeholder('before')}::uuid)`,
  later: sql`(${posts.sortAt}, ${posts.id}) > (${placeholder('laterTime')}::timestamptz, ${placeholder('later')}::uuid)`,
  after: sql`${posts.position} > ${placeholder('after')}::int`,
}
type Condition = keyof typeof conditions
type Values = Partial<Record<Condition | 'beforeTime' | 'laterTime', unknown>>

/** A post as lists hold it: without what only the scheduler needs. */
export type ListedPost = Omit<typeof posts.$inferSelect, 'dueAt' | 'leaseOwner' | 'externalAccount' | 'sortAt'>

/**
 * One page of posts (SOC-11): newest first by schedule or else creation, a thread by position.
 * Throws 404 for a brand of another organization and 422 for a foreign cursor.
 */
export async function list(db: Database, actor: Actor, filter: PostFilter): Promise<PageOf<ListedPost>> {
  const reach = reachOf(actor)
  if (filter.brandId) await brands.get(db, actor, filter.brandId)
  const values = { ...valuesOf(filter), ...(actor.credential.test && { reachedBy: practiceNetwork }) }
  if (filter.threadId) return inOrder(db, reach, filter.threadId, { ...filter, values })
  return newestFirst(db, reach, { ...filter, values })
}

/** One page of a brand's posts, soonest first: what lies ahead reads like a calendar. Throws as `list` does. */
export async function listSoonest(
  db: Database,
  actor: Actor,
  filter: PostFilter & { brandId: string },
): Promise<PageOf<ListedPost>> {
  await brands.get(db, actor, filter.brandId)
  const later = decodeCursor(Edge, filter.cursor)
  const values = { ...valuesOf(filter), ...(later && { later: later.id, laterTime: later.at.toISOString() }) }
  const query = prepared(db, nameOf('soonest', values), () => ofBrand(db, whereOf(values), asc))
  const rows = await query.execute({ ...values, limit: filter.limit + 1 })
  return pageOf(rows, fitting(rows, filter.limit), edgeOf)
}

/** Bytes of texts and images' words after which a page ends early: 100 posts of the longest texts are 20 MB. */
const mostBytes = 2_000_000

/** How many of these posts one page holds: as many as were asked for, at least one, and no more than `mostBytes`. */
function fitting(rows: readonly ListedPost[], limit: number): number {
  let bytes = 0
  for (const [at, { text, media }] of rows.entries()) {
    bytes += [text, ...media.map(({ alt }) => alt)].reduce((sum, words) => sum + Buffer.byteLength(words), 0)
    if (bytes > mostBytes) return Math.min(limit, Math.max(1, at))
  }
  return limit
}

/** Where a page ends in time. */
const Edge = z.object({ at: Instant, id: Id })
const edgeOf = ({ id, scheduledAt, createdAt }: ListedPost) => ({ id, at: scheduledAt ?? createdAt })

/** Whose posts are meant: of the organization's brands all, or those of a key's binding. */
interface Reach {
  organization: string
  bound?: string[]
}

function reachOf(actor: Actor): Reach {
  const bound = boundBrands(actor)
  return { organization: organizationOf(actor), ...(bound && { bound }) }
}

/** Which brands of the organization are in reach. */
const inReach = ({ bound }: Reach): SQL | undefined =>
  and(
    eq(brandTable.organizationId, placeholder('organization')),
    bound ? sql`${brandTable.id} = ANY(${placeholder('bound')}::uuid[])` : undefined,
  )

type Wish = PostFilter & { values: Values }

async function newestFirst(db: Database, reach: Reach, filter: Wish): Promise<PageOf<ListedPost>> {
  const before = decodeCursor(Edge, filter.cursor)
  const values = { ...filter.values, ...(before && { before: before.id, beforeTime: before.at.toISOString() }) }
  const where = whereOf(values)
  const query = filter.brandId
    ? prepared(db, nameOf('brand', values), () => ofBrand(db, where))
    : prepared(db, nameOf(scopeOf('organization', reach), values), () => ofOrganization(db, where, reach))
  const rows = await query.execute({ ...values, ...reach, limit: filter.limit + 1 })
  return pageOf(rows, fitting(rows, filter.limit), edgeOf)
}

const After = z.object({ position: z.int().min(0).max(1_000_000) })

async function inOrder(db: Database, reach: Reach, threadId: string, filter: Wish): Promise<PageOf<ListedPost>> {
  const after = decodeCursor(After, filter.cursor)
  const values = { ...filter.values, ...(after && { after: after.position }) }
  const query = prepared(db, nameOf(scopeOf('thread', reach), values), () => ofThread(db, whereOf(values), reach))
  const rows = await query.execute({ ...values, ...reach, threadId, limit: filter.limit + 1 })
  return pageOf(rows, fitting(rows, filter.limit), ({ position }) => ({ position }))
}

const ofBrand = (db: Database, where: SQL[], order = desc) =>
  db
    .select(columns)
    .from(posts)
    .where(and(...where))
    .orderBy(order(posts.sortAt), order(posts.id))
    .limit(placeholder('limit'))

/** Each brand gives its newest from its own part of the index; the newest of those are the organization's. */
function ofOrganization(db: Database, where: SQL[], reach: Reach) {
  const newest = db
    .select({ ...columns, sortAt: posts.sortAt })
    .from(posts)
    .where(and(eq(posts.brandId, brandTable.id), ...where))
    .orderBy(desc(posts.sortAt), desc(posts.id))
    .limit(placeholder('limit'))
    .as('newest')
  const { sortAt, ...selected } = newest._.selectedFields
  return db
    .select(selected)
    .from(brandTable)
    .crossJoinLateral(newest)
    .where(inReach(reach))
    .orderBy(desc(sortAt), desc(newest.id))
    .limit(placeholder('limit'))
}

const ofThread = (db: Database, where: SQL[], reach: Reach) =>
  db
    .select(columns)
    .from(posts)
    .innerJoin(brandTable, eq(brandTable.id, posts.brandId))
    .where(and(eq(posts.threadId, placeholder('threadId')), inReach(reach), ...where))
    .orderBy(asc(posts.position))
    .limit(placeholder('limit'))

const isCondition = (name: string): name is Condition => name in conditions

const scopeOf = (scope: string, { bound }: Reach): string => (bound ? `bound_${scope}` : scope)

const named = (values: Values): Condition[] => Object.keys(values).filter(isCondition)
const nameOf = (scope: string, values: Values): string => ['posts', scope, ...named(values)].join('_')
const whereOf = (values: Values): SQL[] => named(values).map((name) => conditions[name])

function valuesOf({ brandId, status, provider, authorId, tag, from, to, q }: PostFilter): Values {
  const values = {
    brandId,
    status,
    provider,
    authorId,
    tag,
    from: from?.toISOString(),
    to: to?.toISOString(),
    q: q && containing(q),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
