import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { keyset } from '#lib/paginate.ts'
import { Instant } from '#lib/time.ts'
import { Id } from '#lib/ids.ts'
import { reachedBrand, readPermissions, testKeyNetwork } from '../access.ts'
import * as brandRows from '../brands/brands.ts'
import { listedColumns } from '../posts/listed-columns.ts'
import { addNames } from '../posts/present.ts'
import { brands, posts } from '../schema.ts'
import type { FeedFilter } from './input.ts'
import { policyOf } from './policy.ts'
import { describeReviews } from './present.ts'

type FeedCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'now' | 'signal'>
type State = NonNullable<FeedFilter['state']>

const newest = keyset({ at: [posts.reviewStateAt, Instant], id: [posts.id, Id] }, 'desc')

/** The last change of its review first. @throws {Problem} 404 for an unknown brand */
export async function readFeed(call: FeedCall, filter: FeedFilter) {
  const { db, actor } = call
  const brand = filter.brandId ? await brandRows.get(db, actor, filter.brandId) : null
  const [page, can, waiting] = await Promise.all([
    listPlaces(db, actor, filter),
    readPermissions(call),
    countWaiting(db, actor, filter.brandId),
  ])
  const rows = await readPosts(db, page.items)
  const [reviews, named] = await Promise.all([describeReviews(call, rows, can), addNames(call, rows, can)])
  return {
    items: named.flatMap((post) => {
      const review = reviews.get(post.id)
      return review ? [{ post, ...review }] : []
    }),
    nextCursor: page.nextCursor,
    policy: brand && policyOf(brand.reviewPolicy),
    can: { updatePolicy: brand !== null && can('brands:write', brand.id) },
    waiting,
  }
}

const Place = z.object({ id: Id, at: z.coerce.date() })

async function listPlaces(db: Database, actor: Actor, filter: FeedFilter) {
  const slice = newest.slice(filter)
  return slice.page(z.array(Place).parse([...(await db.execute(placesOf(actor, filter)))]))
}

/** Each brand gives the first ones of its part of the index; the first of those are the page’s. */
export function placesOf(actor: Actor, filter: FeedFilter): SQL {
  const slice = newest.slice(filter)
  return sql`
    SELECT place.id, place.at FROM ${brands} CROSS JOIN LATERAL (
      SELECT posts.id, posts.review_state_at AS at FROM ${posts}
      WHERE ${eq(posts.brandId, brands.id)} AND ${states[filter.state ?? 'pending']}
        AND ${slice.where ?? sql`true`}
        AND ${actor.credential.test ? sql`posts.provider = ${testKeyNetwork}` : sql`true`}
        AND ${filter.mine === true ? isFor(actor) : sql`true`}
      ORDER BY ${sql.join(slice.order, sql`, `)} LIMIT ${slice.limit}) place
    WHERE ${and(reachedBrand(actor), filter.brandId ? eq(brands.id, filter.brandId) : undefined)}
    ORDER BY place.at DESC, place.id DESC LIMIT ${slice.limit}`
}

/** Literals, by which PostgreSQL recognizes the partial indexes. */
const states: Record<State, SQL> = {
  pending: sql`posts.review_state = 'requested' AND posts.status <> 'published'`,
  approved: sql`posts.review_state = 'approved'`,
  changes_requested: sql`posts.review_state = 'changes_requested' AND posts.status <> 'published'`,
  all: sql`posts.review_state <> 'none' AND (posts.review_state = 'approved' OR posts.status <> 'published')`,
}

/** Without the person’s own posts, unless the policy counts their approval, and those on which they have decided. */
const isFor = ({ principal: { id } }: Actor): SQL => sql`
  (coalesce((${brands.reviewPolicy} ->> 'allowAuthor')::boolean, false)
    OR (posts.author_id <> ${id} AND posts.content_by IS DISTINCT FROM ${id}::uuid
      AND NOT coalesce(${id}::uuid = ANY (posts.content_writers), false)))
  AND NOT EXISTS (SELECT FROM social.post_reviews r
    WHERE r.post_id = posts.id AND r.user_id = ${id} AND r.voided_at IS NULL)`

async function readPosts(db: Database, places: readonly { id: string }[]) {
  if (places.length === 0) return []
  const ids = places.map(({ id }) => id)
  const rows = await db
    .select({ ...listedColumns, brandName: brands.name })
    .from(posts)
    .innerJoin(brands, eq(brands.id, posts.brandId))
    .where(inArray(posts.id, ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export type PostToReview = Awaited<ReturnType<typeof listToReview>>[number]

/** Unpublished posts of a brand of which changes were requested, the last one first. */
export async function listSentBack(db: Database, actor: Actor, filter: { brandId: string; limit: number }) {
  const page = await listPlaces(db, actor, { ...filter, state: 'changes_requested' })
  return readPosts(db, page.items)
}

/** Of all brands that the reviewer reaches, the last requested first: without what they can’t decide on. */
export async function listToReview(db: Database, reviewer: Actor, limit: number) {
  const page = await listPlaces(db, reviewer, { state: 'pending', mine: true, limit })
  const rows = await readPosts(db, page.items)
  return rows.map(({ id, brandId, brandName, provider, text, version, scheduledAt: at }) => {
    return { id, brandId, brandName, provider, text, version, at }
  })
}

const maxCounted = 1_000
const Counted = z.array(z.object({ count: z.number() }))

/** Up to 1,000: 1001 means that there are more. */
export async function countWaiting(db: Database, actor: Actor, brandId?: string): Promise<number> {
  const rows = await db.execute(waitingCountOf(actor, brandId))
  return Counted.parse([...rows])[0]?.count ?? 0
}

/** Unpublished posts of which changes were requested, up to 1,000: 1001 means that there are more. */
export async function countSentBack(db: Database, actor: Actor): Promise<number> {
  const rows = await db.execute(countOf(states.changes_requested, actor))
  return Counted.parse([...rows])[0]?.count ?? 0
}

export const waitingCountOf = (actor: Actor, brandId?: string): SQL => countOf(states.pending, actor, brandId)

const countOf = (inState: SQL, actor: Actor, brandId?: string): SQL => sql`
  SELECT count(*)::int AS count FROM (
    SELECT FROM ${brands} CROSS JOIN LATERAL (
      SELECT FROM ${posts} WHERE ${eq(posts.brandId, brands.id)} AND ${inState}
        AND ${actor.credential.test ? sql`posts.provider = ${testKeyNetwork}` : sql`true`} LIMIT ${maxCounted + 1}) waiting
    WHERE ${and(reachedBrand(actor), brandId ? eq(brands.id, brandId) : undefined)} LIMIT ${maxCounted + 1}) counted`
