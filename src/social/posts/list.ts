import { and, desc, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { containing, prepared, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
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
}
type Condition = keyof typeof conditions
type Values = Partial<Record<Condition, unknown>>

const inTime = { at: [posts.sortAt, Instant], id: [posts.id, Id] } as const
const soonest = keyset(inTime)
const newest = keyset(inTime, 'desc')
const inThread = keyset({ position: [posts.position, z.int().min(0).max(1_000_000)] })
const timeOf = ({ id, scheduledAt, createdAt }: ListedPost) => ({ id, at: scheduledAt ?? createdAt })

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
  const slice = soonest.slice(filter)
  const values = valuesOf(filter)
  const behind = slice.values
  const query = prepared(db, nameOf('soonest', values, behind), () =>
    ofBrand(db, soonest, whereOf(soonest, values, behind)),
  )
  const rows = await query.execute({ ...values, ...behind, limit: slice.limit })
  return slice.pageBy(rows, timeOf, fitting(rows, filter.limit))
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
  const slice = newest.slice(filter)
  const { values } = filter
  const behind = slice.values
  const where = whereOf(newest, values, behind)
  const query = filter.brandId
    ? prepared(db, nameOf('brand', values, behind), () => ofBrand(db, newest, where))
    : prepared(db, nameOf(scopeOf('organization', reach), values, behind), () => ofOrganization(db, where, reach))
  const rows = await query.execute({ ...values, ...behind, ...reach, limit: slice.limit })
  return slice.pageBy(rows, timeOf, fitting(rows, filter.limit))
}

async function inOrder(db: Database, reach: Reach, threadId: string, filter: Wish): Promise<PageOf<ListedPost>> {
  const slice = inThread.slice(filter)
  const { values } = filter
  const behind = slice.values
  const where = whereOf(inThread, values, behind)
  const query = prepared(db, nameOf(scopeOf('thread', reach), values, behind), () => ofThread(db, where, reach))
  const rows = await query.execute({ ...values, ...behind, ...reach, threadId, limit: slice.limit })
  return slice.pageBy(rows, ({ position }) => ({ position }), fitting(rows, filter.limit))
}

const ofBrand = (db: Database, { order }: { order: SQL[] }, where: SQL[]) =>
  db
    .select(columns)
    .from(posts)
    .where(and(...where))
    .orderBy(...order)
    .limit(placeholder('limit'))

/** Each brand gives its newest from its own part of the index; the newest of those are the organization's. */
function ofOrganization(db: Database, where: SQL[], reach: Reach) {
  const ofOne = db
    .select({ ...columns, sortAt: posts.sortAt })
    .from(posts)
    .where(and(eq(posts.brandId, brandTable.id), ...where))
    .orderBy(...newest.order)
    .limit(placeholder('limit'))
    .as('newest')
  const { sortAt, ...selected } = ofOne._.selectedFields
  return db
    .select(selected)
    .from(brandTable)
    .crossJoinLateral(ofOne)
    .where(inReach(reach))
    .orderBy(desc(sortAt), desc(ofOne.id))
    .limit(placeholder('limit'))
}

const ofThread = (db: Database, where: SQL[], reach: Reach) =>
  db
    .select(columns)
    .from(posts)
    .innerJoin(brandTable, eq(brandTable.id, posts.brandId))
    .where(and(eq(posts.threadId, placeholder('threadId')), inReach(reach), ...where))
    .orderBy(...inThread.order)
    .limit(placeholder('limit'))

const isCondition = (name: string): name is Condition => name in conditions

const scopeOf = (scope: string, { bound }: Reach): string => (bound ? `bound_${scope}` : scope)

const named = (values: Values): Condition[] => Object.keys(values).filter(isCondition)
/** Where a page begins: undefined for the first one. */
type Behind = Record<string, unknown> | undefined
const nameOf = (scope: string, values: Values, behind: Behind): string =>
  ['posts', scope, ...named(values), ...(behind ? ['behind'] : [])].join('_')
const whereOf = ({ behindPlaceholders }: { behindPlaceholders: SQL }, values: Values, behind: Behind): SQL[] => [
  ...named(values).map((name) => conditions[name]),
  ...(behind ? [behindPlaceholders] : []),
]

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
