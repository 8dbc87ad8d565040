import { and, count, desc, eq, gte, inArray, lt, not, sql, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { containsPattern, type Database } from '#lib/db.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { reachedBrand, readPermissions } from '../../access.ts'
import * as brands from '../../brands/brands.ts'
import type { Provider } from '../../contract.ts'
import { inSearchTurn } from '../../posts/text-search.ts'
import { brands as brandTable, media } from '../../schema.ts'
import type { MediaRow } from '../files.ts'
import type { MediaFilter } from '../input.ts'
import { filterFitting, unfitNetworks } from './fits.ts'
import { countUses, isUsed } from './usage.ts'

/** Files that a request looks at for a condition that no index has: reading a text is cheap, finding posts is not. */
const maxSearched = { texts: 20_000, uses: 2_000, fits: 1_000 }
const fitsBatch = 200

export interface ListedMediaRow extends MediaRow {
  usedIn: number
  unfit: Provider[]
  createdByName: string | null
}

type ListCall = DescribeCall & Pick<Call, 'signal'>

/**
 * Newest first. A filtered page can end early: its cursor continues the search.
 * @throws {Problem} 404 for a brand of another organization, 422 for another list's cursor, 429 and 503 for a search
 */
export async function list(
  call: ListCall,
  filter: MediaFilter,
): Promise<PageOf<ListedMediaRow> & { can: { upload: boolean } }> {
  const { db, actor, signal } = call
  const { brandId, q, used } = filter
  const scope: Scope = brandId ? { brandId: (await brands.get(db, actor, brandId)).id } : { actor }
  const slice = byId(media.id, 'desc').slice(filter)
  const conditions = conditionsOf(filter)
  const read = async () => {
    const depth = used === undefined ? maxSearched.texts : maxSearched.uses
    const end = conditions.length > 0 ? await endOfSearch(db, scope, slice.where, depth) : undefined
    const until = end && gte(media.id, end.id)
    const where = and(...conditions, slice.where, until)
    if (filter.fits) {
      const found = await findFitting(call, scope, { where, limit: slice.limit, provider: filter.fits })
      return slice.pageBy(found.rows, ({ id }) => ({ id }), { end: found.end ?? end })
    }
    const rows = await readNewest(db, scope, { where, limit: slice.limit })
    return slice.pageBy(rows, ({ id }) => ({ id }), { end })
  }
  const page = await (q ? inSearchTurn({ organizationId: organizationOf(actor), signal }, read) : read())
  const can = await readPermissions(call)
  return { ...page, items: await describeAll(call, page.items), can: { upload: can('posts:write', brandId) } }
}

export type FoundFile = Pick<MediaRow, 'id' | 'brandId' | 'name' | 'alt'>

interface FileSearch {
  words: string
  limit: number
  signal: AbortSignal
}

/** Milliseconds for which the command palette waits for its turn. */
const paletteWaitMs = 1_000

/** Among the newest files of each brand. @throws {Problem} as `inSearchTurn` */
export function searchFiles(db: Database, actor: Actor, { words, limit, signal }: FileSearch): Promise<FoundFile[]> {
  const conditions = conditionsOf({ q: words, limit })
  return inSearchTurn({ organizationId: organizationOf(actor), waitMs: paletteWaitMs, signal }, async () => {
    const end = await endOfSearch(db, { actor }, undefined, maxSearched.uses)
    const until = end && gte(media.id, end.id)
    const found = newest(db, { actor }, { where: and(...conditions, until), limit })
    const { id, brandId, name, alt } = media
    return db.select({ id, brandId, name, alt }).from(media).where(inArray(id, found)).orderBy(desc(id))
  })
}

type DescribeCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>

async function describeAll(
  { db, actor, identity }: DescribeCall,
  rows: readonly MediaRow[],
): Promise<ListedMediaRow[]> {
  const [uses, unfit, people] = await Promise.all([
    countUses(db, actor, rows),
    unfitNetworks(db, actor, rows),
    identity.people([...new Set(rows.map(({ createdBy }) => createdBy))]),
  ])
  return rows.map((row) => ({
    ...row,
    usedIn: uses.get(row.id) ?? 0,
    unfit: unfit.get(row.id) ?? [],
    createdByName: people.get(row.createdBy)?.name ?? null,
  }))
}

export async function describeOne(call: DescribeCall, row: MediaRow): Promise<ListedMediaRow> {
  const [described] = await describeAll(call, [row])
  if (!described) throw new Error('A file was not described')
  return described
}

/** One brand, or those that the actor reaches. */
type Scope = { brandId: string } | { actor: Actor }

interface Found {
  where: SQL | undefined
  limit: number
}

const readNewest = (db: Database, scope: Scope, found: Found): Promise<MediaRow[]> =>
  db
    .select()
    .from(media)
    .where(inArray(media.id, newest(db, scope, found)))
    .orderBy(desc(media.id))

/** What a network accepts is no condition of SQL: files are read in batches. `end` is the last one, when others follow. */
async function findFitting(
  { db, actor }: DescribeCall,
  scope: Scope,
  { where, limit, provider }: Found & { provider: Provider },
): Promise<{ rows: MediaRow[]; end: { id: string } | undefined }> {
  const rows: MediaRow[] = []
  let last: MediaRow | undefined
  for (let looked = 0; looked < maxSearched.fits && rows.length < limit; looked += fitsBatch) {
    const behind = last && lt(media.id, last.id)
    const batch = await readNewest(db, scope, { where: and(where, behind), limit: fitsBatch })
    rows.push(...(await filterFitting(db, actor, batch, provider)))
    if (batch.length < fitsBatch) return { rows, end: undefined }
    last = batch.at(-1)
  }
  return { rows, end: last }
}

/** Each brand gives its newest files from its own part of the index; the newest of those are the organization's. */
function newest(db: Database, scope: Scope, { where, limit }: Found) {
  const id = desc(media.id)
  if ('brandId' in scope)
    return db
      .select({ id: media.id })
      .from(media)
      .where(and(eq(media.brandId, scope.brandId), where))
      .orderBy(id)
      .limit(limit)
  const ofOne = db
    .select({ id: media.id })
    .from(media)
    .where(and(eq(media.brandId, brandTable.id), where))
    .orderBy(id)
    .limit(limit)
    .as('of_one')
  return db
    .select({ id: ofOne.id })
    .from(brandTable)
    .crossJoinLateral(ofOne)
    .where(reachedBrand(scope.actor))
    .orderBy(desc(ofOne.id))
    .limit(limit)
}

/** The last file that a search looks at, when others follow it. */
async function endOfSearch(
  db: Database,
  scope: Scope,
  where: SQL | undefined,
  depth: number,
): Promise<{ id: string } | undefined> {
  const looked = newest(db, scope, { where, limit: depth + 1 }).as('looked')
  const [found] = await db
    .select({ files: count(), last: sql<string>`(array_agg(${looked.id} ORDER BY ${looked.id} DESC))[${depth}::int]` })
    .from(looked)
  return found && found.files > depth ? { id: found.last } : undefined
}

const maxWords = 8

function conditionsOf({ q, kind, tag, used, alt, postId }: MediaFilter): SQL[] {
  const words = q?.split(/\s+/).filter(Boolean).slice(0, maxWords) ?? []
  return [
    ...words.map((word) => sql`${searchedText} ilike ${containsPattern(word)}`),
    ...(kind ? [eq(media.kind, kind)] : []),
    ...(tag ? [sql`${media.tags} @> array[${tag}]`] : []),
    ...(alt === 'missing' ? [eq(media.alt, '')] : []),
    ...(used === undefined ? [] : [used ? isUsed : not(isUsed)]),
    ...(postId ? [inPost(postId)] : []),
  ]
}

const searchedText = sql`(${media.name} || ' ' || ${media.alt} || ' ' || array_to_string(${media.tags}, ' '))`

const inPost = (postId: string) => sql`${media.id} IN (
  SELECT (image ->> 'mediaId')::uuid FROM social.posts AS post, jsonb_array_elements(post.media) AS image
  WHERE post.id = ${postId})`
