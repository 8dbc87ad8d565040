import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { requirePerson } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { digest, randomToken } from '#lib/ids.ts'
import { withinTenant } from '../../access.ts'
import * as brands from '../../brands/brands.ts'
import { brands as brandTable, calendarFeeds } from '../../schema.ts'

const { id, brandId, personId, tokenHash, createdAt, lastUsedAt } = calendarFeeds
const described = { id, brandId, createdAt, lastUsedAt }

/** @throws {Problem} 403 for an API key, which others can use too */
function ownFeeds(db: Database, actor: Actor) {
  requirePerson(actor)
  return and(eq(personId, actor.principal.id), withinTenant(db, actor, brandId))
}

/** @throws {Problem} 403, and 404 for a brand of another organization */
export async function list(db: Database, actor: Actor, ofBrand?: string) {
  if (ofBrand) await brands.get(db, actor, ofBrand)
  return db
    .select(described)
    .from(calendarFeeds)
    .where(and(ownFeeds(db, actor), ofBrand ? eq(brandId, ofBrand) : undefined))
    .orderBy(asc(createdAt), asc(id))
}

/** The caller's feed of a brand with a new token: the one before stops working. @throws {Problem} 403, 404 */
export async function create(db: Database, actor: Actor, ofBrand: string) {
  requirePerson(actor)
  const brand = await brands.get(db, actor, ofBrand)
  const token = randomToken()
  const fresh = { tokenHash: digest(token), lastUsedAt: null, createdAt: sql`now()` }
  const [feed] = await db
    .insert(calendarFeeds)
    .values({ brandId: brand.id, personId: actor.principal.id, ...fresh })
    .onConflictDoUpdate({ target: [personId, brandId], set: fresh })
    .returning(described)
  if (!feed) throw new Error('A calendar feed was not stored')
  recordChange(db, { object: 'calendar_feed', id: feed.id, after: feed })
  return { feed, token }
}

/** @throws {Problem} 403, 404 */
export async function revoke(db: Database, actor: Actor, feedId: string) {
  const [feed] = await db
    .delete(calendarFeeds)
    .where(and(eq(id, feedId), ownFeeds(db, actor)))
    .returning(described)
  if (!feed) throw notFound('calendar feed')
  recordChange(db, { object: 'calendar_feed', id: feed.id, before: feed })
  return feed
}

export async function findByToken(db: Database, token: string) {
  const [feed] = await db
    .select({ id, brandId, personId, organizationId: brandTable.organizationId })
    .from(calendarFeeds)
    .innerJoin(brandTable, eq(brandTable.id, brandId))
    .where(eq(tokenHash, digest(token)))
  return feed ?? null
}

/** Of a person who left the organization. */
export async function end(db: Database, { id: feedId, organizationId }: { id: string; organizationId: string }) {
  const [feed] = await db
    .delete(calendarFeeds)
    .where(eq(id, feedId))
    .returning({ ...described, personId })
  if (feed) recordChange(db, { object: 'calendar_feed', id: feed.id, before: feed, organizationId })
}

/** Programs ask every few minutes, so it is written once an hour. */
export const markUsed = (db: Database, feedId: string) =>
  db
    .update(calendarFeeds)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(id, feedId), or(isNull(lastUsedAt), lt(lastUsedAt, sql`now() - interval '1 hour'`))))
