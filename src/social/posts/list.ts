import { and, asc, desc, eq, sql, type Column, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import { prepared, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { keyset, type Keyset, type PageOf } from '#lib/paginate.ts'
import { Instant } from '#lib/time.ts'
import * as brands from '../brands/brands.ts'
import { testKeyNetwork, boundBrands } from '../access.ts'
import { conditionsOf, namesOf, valuesOf, type Condition, type Values } from './conditions.ts'
import type { PostFilter } from './filter.ts'
import { brands as brandTable, posts } from '../schema.ts'
import { computedColumns, listedColumns, storedColumns, type PostListRow } from './listed-columns.ts'
import { inSearchTurn, maxSearched } from './text-search.ts'

const { placeholder } = sql

const inTime = { at: [posts.sortAt, Instant], id: [posts.id, Id] } as const
const orders = { soonest: keyset(inTime), newest: keyset(inTime, 'desc') }
const timeOf = ({ id, scheduledAt, createdAt }: PostListRow) => ({ id, at: scheduledAt ?? createdAt })
const place = { at: posts.sortAt, id: posts.id }
type TimeOrder = typeof orders.newest
type Place = ReturnType<typeof timeOf>

const inThread = {
  scope: 'thread',
  of: sql`${posts.threadId} = ${placeholder('threadId')}`,
  order: keyset({ position: [posts.position, z.int().min(0).max(1_000_000)] }),
  placeOf: ({ position }: PostListRow) => ({ position }),
}
const inGroup = {
  scope: 'group',
  of: sql`${posts.groupId} = ${placeholder('groupId')}`,
  order: keyset({ id: [posts.id, Id] }),
  placeOf: ({ id }: PostListRow) => ({ id }),
}

/** By schedule or else creation; threads by position, submissions by target (SOC-11). @throws {Problem} 404, 422 */
export async function list(
  db: Database,
  actor: Actor,
  filter: PostFilter,
  signal?: AbortSignal,
): Promise<PageOf<PostListRow>> {
  const reach = reachOf(actor)
  const brand = filter.brandId ? await brands.get(db, actor, filter.brandId) : null
  const values = { ...valuesOf(filter), ...(actor.credential.test && { reachedBy: testKeyNetwork }) }
  if (filter.threadId) return listTogether(db, reach, inThread, { ...filter, values })
  if (filter.groupId) return listTogether(db, reach, inGroup, { ...filter, values })
  const scope = filter.brandId ? 'brand' : scopeOf('organization', reach)
  const { order = 'newest' } = filter
  const name = order === 'soonest' ? `${scope}_soonest` : scope
  return listByTime(db, { name, order: orders[order], reach }, { ...filter, values, brandName: brand?.name, signal })
}

/** Bytes of texts and images' words after which a page ends early: 100 posts of the longest texts are 20 MB. */
const maxPageBytes = 2_000_000

function fitting(rows: readonly PostListRow[], limit: number): number {
  let bytes = 0
  for (const [at, { text, media }] of rows.entries()) {
    bytes += [text, ...media.map(({ alt }) => alt)].reduce((sum, words) => sum + Buffer.byteLength(words), 0)
    if (bytes > maxPageBytes) return Math.min(limit, Math.max(1, at))
  }
  return limit
}

interface Reach {
  organization: string
  bound?: string[]
}

function reachOf(actor: Actor): Reach {
  const bound = boundBrands(actor)
  return { organization: organizationOf(actor), ...(bound && { bound }) }
}

const inReach = ({ bound }: Reach): SQL | undefined =>
  and(
    eq(brandTable.organizationId, placeholder('organization')),
    bound ? sql`${brandTable.id} = ANY(${placeholder('bound')}::uuid[])` : undefined,
  )

interface ListInput extends PostFilter {
  values: Values
  /** With `brandId`: the query of one brand doesn't read it again. */
  brandName?: string
  signal?: AbortSignal
}

interface TimeList {
  name: string
  order: TimeOrder
  reach: Reach
}

/** With a condition that no index has, it looks at no more than `maxSearched` posts; with `q` in the organization's turn. */
async function listByTime(db: Database, listed: TimeList, filter: ListInput): Promise<PageOf<PostListRow>> {
  const { name, order, reach } = listed
  const slice = order.slice(filter)
  const { values, brandName } = filter
  const behind = slice.values
  const read = async (end?: Place) => {
    const until = end && order.untilValues(end)
    const where = [...whereOf(order, values, behind), ...(until ? [order.untilPlaceholders] : [])]
    const query = prepared(db, nameOf(until ? `${name}_until` : name, values, behind), () =>
      filter.brandId ? ofBrand(db, order, where) : ofOrganization(db, order, where, reach),
    )
    const rows = await query.execute({ ...values, ...behind, ...until, ...reach, brandName, limit: slice.limit })
    return slice.pageBy(rows, timeOf, { maxItems: fitting(rows, filter.limit), end })
  }
  if (namesOf(values).every((condition) => indexed.includes(condition))) return read()
  const search = async () => read(await endOfSearch(db, listed, filter, behind))
  if (values.q === undefined) return search()
  return inSearchTurn({ organizationId: reach.organization, signal: filter.signal }, search)
}

/** Conditions that an index finds posts by, in the order of the list. */
const indexed: readonly Condition[] = ['brandId', 'status', 'from', 'to']

async function endOfSearch(
  db: Database,
  { name, order, reach }: TimeList,
  { brandId, values: filtered }: ListInput,
  behind: Behind,
): Promise<Place | undefined> {
  const values: Values = Object.fromEntries(
    indexed.flatMap((each) => (each in filtered ? [[each, filtered[each]]] : [])),
  )
  const where = whereOf(order, values, behind)
  const query = prepared(db, nameOf(`${name}_end`, values, behind), () =>
    lastTwo(db, brandId ? searchedOfBrand(db, order, where) : searchedOfOrganization(db, order, where, reach), order),
  )
  const [beyond, end] = await query.execute({ ...values, ...behind, ...reach })
  return beyond?.count === maxSearched + 1 ? end : undefined
}

interface Together<Key extends object> {
  scope: string
  of: SQL
  order: Keyset<Key>
  placeOf(row: PostListRow): Key
}

async function listTogether<Key extends object>(
  db: Database,
  reach: Reach,
  { scope, of, order, placeOf }: Together<Key>,
  filter: ListInput,
): Promise<PageOf<PostListRow>> {
  const slice = order.slice(filter)
  const { values, threadId, groupId } = filter
  const behind = slice.values
  const where = [of, ...whereOf(order, values, behind)]
  const query = prepared(db, nameOf(scopeOf(scope, reach), values, behind), () => joined(db, order, where, reach))
  const rows = await query.execute({ ...values, ...behind, ...reach, threadId, groupId, limit: slice.limit })
  return slice.pageBy(rows, placeOf, { maxItems: fitting(rows, filter.limit) })
}

const searchedOfBrand = (db: Database, { order }: TimeOrder, where: SQL[]) =>
  db
    .select(place)
    .from(posts)
    .where(and(...where))
    .orderBy(...order)
    .limit(maxSearched + 1)
    .as('searched')

function searchedOfOrganization(db: Database, order: TimeOrder, where: SQL[], reach: Reach) {
  const ofOne = db
    .select(place)
    .from(posts)
    .where(and(eq(posts.brandId, brandTable.id), ...where))
    .orderBy(...order.order)
    .limit(maxSearched + 1)
    .as('of_brand')
  return db
    .select({ at: ofOne.at, id: ofOne.id })
    .from(brandTable)
    .crossJoinLateral(ofOne)
    .where(inReach(reach))
    .orderBy(...inDirection(order, [ofOne.at, ofOne.id]))
    .limit(maxSearched + 1)
    .as('searched')
}

function lastTwo(db: Database, searched: ReturnType<typeof searchedOfBrand>, order: TimeOrder) {
  const reversed = order === orders.newest ? asc : desc
  return db
    .select({ at: searched.at, id: searched.id, count: sql<number>`(count(*) over ())::int` })
    .from(searched)
    .orderBy(reversed(searched.at), reversed(searched.id))
    .limit(2)
}

const inDirection = (order: TimeOrder, columns: readonly (Column | SQL.Aliased)[]): SQL[] =>
  columns.map((column) => (order === orders.newest ? desc(column) : asc(column)))

const ofBrand = (db: Database, { order }: { order: SQL[] }, where: SQL[]) =>
  db
    .select({ ...listedColumns, brandName: sql<string>`${placeholder('brandName')}::text`.as('brand_name') })
    .from(posts)
    .where(and(...where))
    .orderBy(...order)
    .limit(placeholder('limit'))

/** Each brand gives its first ones from its own part of the index; the first of those are the organization's. */
function ofOrganization(db: Database, order: TimeOrder, where: SQL[], reach: Reach) {
  const ofOne = db
    .select({ ...storedColumns, externalAccount: posts.externalAccount, sortAt: posts.sortAt })
    .from(posts)
    .where(and(eq(posts.brandId, brandTable.id), ...where))
    .orderBy(...order.order)
    .limit(placeholder('limit'))
    .as('of_brand')
  const { sortAt, externalAccount: _, ...stored } = ofOne._.selectedFields
  return db
    .select({ ...stored, ...computedColumns('of_brand'), brandName: brandTable.name })
    .from(brandTable)
    .crossJoinLateral(ofOne)
    .where(inReach(reach))
    .orderBy(...inDirection(order, [sortAt, ofOne.id]))
    .limit(placeholder('limit'))
}

const joined = (db: Database, { order }: { order: SQL[] }, where: SQL[], reach: Reach) =>
  db
    .select({ ...listedColumns, brandName: brandTable.name })
    .from(posts)
    .innerJoin(brandTable, eq(brandTable.id, posts.brandId))
    .where(and(...where, inReach(reach)))
    .orderBy(...order)
    .limit(placeholder('limit'))

const scopeOf = (scope: string, { bound }: Reach): string => (bound ? `bound_${scope}` : scope)

type Behind = Record<string, unknown> | undefined
const nameOf = (scope: string, values: Values, behind: Behind): string =>
  ['posts', scope, ...namesOf(values), ...(behind ? ['behind'] : [])].join('_')
const whereOf = ({ behindPlaceholders }: { behindPlaceholders: SQL }, values: Values, behind: Behind): SQL[] => [
  ...conditionsOf(namesOf(values)),
  ...(behind ? [behindPlaceholders] : []),
]
