import { and, asc, desc, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import { containsPattern, prepared, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
import { Instant } from '#lib/time.ts'
import * as brands from '../brands/brands.ts'
import { practiceNetwork } from '../may.ts'
import type { PostFilter } from './input.ts'
import { brands as brandTable, posts } from '../schema.ts'
import { boundBrands } from '../tenant.ts'
import { inSearchTurn, mostSearched } from './text-search.ts'

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
const place = { at: posts.sortAt, id: posts.id }
type TimeOrder = typeof newest
type Place = ReturnType<typeof timeOf>

/** A post as lists hold it: without what only the scheduler needs. */
export type ListedPost = Omit<typeof posts.$inferSelect, 'dueAt' | 'leaseOwner' | 'externalAccount' | 'sortAt'>

/**
 * One page of posts (SOC-11): newest first by schedule or else creation, a thread by position.
 * Throws 404 for a brand of another organization and 422 for a foreign cursor.
 */
export async function list(
  db: Database,
  actor: Actor,
  filter: PostFilter,
  signal?: AbortSignal,
): Promise<PageOf<ListedPost>> {
  const reach = reachOf(actor)
  if (filter.brandId) await brands.get(db, actor, filter.brandId)
  const values = { ...valuesOf(filter), ...(actor.credential.test && { reachedBy: practiceNetwork }) }
  if (filter.threadId) return inOrder(db, reach, filter.threadId, { ...filter, values })
  return newestFirst(db, reach, { ...filter, values, signal })
}

/** One page of a brand's posts, soonest first: what lies ahead reads like a calendar. Throws as `list` does. */
export async function listSoonest(
  db: Database,
  actor: Actor,
  filter: PostFilter & { brandId: string },
  signal?: AbortSignal,
): Promise<PageOf<ListedPost>> {
  await brands.get(db, actor, filter.brandId)
  const input = { ...filter, values: valuesOf(filter), signal }
  return byTime(db, { name: 'soonest', order: soonest, reach: reachOf(actor) }, input)
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

type ListInput = PostFilter & { values: Values; signal?: AbortSignal }

function newestFirst(db: Database, reach: Reach, filter: ListInput): Promise<PageOf<ListedPost>> {
  const name = filter.brandId ? 'brand' : scopeOf('organization', reach)
  return byTime(db, { name, order: newest, reach }, filter)
}

interface TimeList {
  /** Name of its prepared statements. */
  name: string
  order: TimeOrder
  reach: Reach
}

/** One page in the order of time. With `q` it searches at most `mostSearched` posts, in the organization's turn. */
async function byTime(db: Database, listed: TimeList, filter: ListInput): Promise<PageOf<ListedPost>> {
  const { name, order, reach } = listed
  const slice = order.slice(filter)
  const { values } = filter
  const behind = slice.values
  const read = async (end?: Place) => {
    const until = end && order.untilValues(end)
    const where = [...whereOf(order, values, behind), ...(until ? [order.untilPlaceholders] : [])]
    const query = prepared(db, nameOf(until ? `${name}_until` : name, values, behind), () =>
      filter.brandId ? ofBrand(db, order, where) : ofOrganization(db, where, reach),
    )
    const rows = await query.execute({ ...values, ...behind, ...until, ...reach, limit: slice.limit })
    return slice.pageBy(rows, timeOf, { maxItems: fitting(rows, filter.limit), end })
  }
  if (values.q === undefined) return read()
  const searcher = { organizationId: reach.organization, signal: filter.signal }
  return inSearchTurn(searcher, async () => read(await endOfSearch(db, listed, filter, behind)))
}

/** The last post that a search looks at; undefined when no more follow it. */
async function endOfSearch(
  db: Database,
  { name, order, reach }: TimeList,
  { brandId, values: searched }: ListInput,
  behind: Behind,
): Promise<Place | undefined> {
  const { q: _q, ...values } = searched
  const where = whereOf(order, values, behind)
  const query = prepared(db, nameOf(`${name}_end`, values, behind), () =>
    lastTwo(db, brandId ? searchedOfBrand(db, order, where) : searchedOfOrganization(db, where, reach), order),
  )
  const [beyond, end] = await query.execute({ ...values, ...behind, ...reach })
  return beyond?.count === mostSearched + 1 ? end : undefined
}

async function inOrder(db: Database, reach: Reach, threadId: string, filter: ListInput): Promise<PageOf<ListedPost>> {
  const slice = inThread.slice(filter)
  const { values } = filter
  const behind = slice.values
  const where = whereOf(inThread, values, behind)
  const query = prepared(db, nameOf(scopeOf('thread', reach), values, behind), () => ofThread(db, where, reach))
  const rows = await query.execute({ ...values, ...behind, ...reach, threadId, limit: slice.limit })
  return slice.pageBy(rows, ({ position }) => ({ position }), { maxItems: fitting(rows, filter.limit) })
}

/** The posts that a search looks at, and the first one beyond. */
const searchedOfBrand = (db: Database, { order }: TimeOrder, where: SQL[]) =>
  db
    .select(place)
    .from(posts)
    .where(and(...where))
    .orderBy(...order)
    .limit(mostSearched + 1)
    .as('searched')

function searchedOfOrganization(db: Database, where: SQL[], reach: Reach) {
  const ofOne = db
    .select(place)
    .from(posts)
    .where(and(eq(posts.brandId, brandTable.id), ...where))
    .orderBy(...newest.order)
    .limit(mostSearched + 1)
    .as('newest')
  return db
    .select({ at: ofOne.at, id: ofOne.id })
    .from(brandTable)
    .crossJoinLateral(ofOne)
    .where(inReach(reach))
    .orderBy(desc(ofOne.at), desc(ofOne.id))
    .limit(mostSearched + 1)
    .as('searched')
}

/** The last two of these places, the last one first, with the number of all. */
function lastTwo(db: Database, searched: ReturnType<typeof searchedOfBrand>, order: TimeOrder) {
  const reversed = order === newest ? asc : desc
  return db
    .select({ at: searched.at, id: searched.id, count: sql<number>`(count(*) over ())::int` })
    .from(searched)
    .orderBy(reversed(searched.at), reversed(searched.id))
    .limit(2)
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
    q: q && containsPattern(q),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
