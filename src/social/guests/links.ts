import { and, eq, gt, inArray, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { responsibleOf } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { requirePerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { digest, Id, randomToken } from '#lib/ids.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
import { resolveAction } from '#lib/raised-actions.ts'
import { explainAbsence, requireNetworkAccess, withinTenant } from '../access.ts'
import * as brands from '../brands/brands.ts'
import type { ReviewLinkState } from '../contract.ts'
import { posts, reviewLinkPosts, reviewLinks } from '../schema.ts'
import { voidDecisionsOfLink } from '../review/revoke-decisions.ts'
import { requestCause } from './cause.ts'
import { defaultDays, maxDays, type ReviewLinkDraft, type ReviewLinkEdit, type ReviewLinkFilter } from './input.ts'

export type LinkRow = typeof reviewLinks.$inferSelect
type LinkCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>

const day = 24 * 60 * 60_000
/** Per brand. */
const maxActive = 200

/**
 * The token is only returned here: its hash is stored.
 * @throws {Problem} 403 for a key whose link could decide, 404 for a post of another brand, 409 `too_many_review_links`, 422
 */
export async function createLink(call: LinkCall, draft: ReviewLinkDraft) {
  const { db, actor, now } = call
  if (draft.canDecide) requirePerson(actor)
  const brand = await brands.get(db, actor, draft.brandId)
  await requirePosts(call, brand.id, draft.postIds)
  await requireRoom(call, brand.id)
  const token = randomToken()
  const [link] = await db
    .insert(reviewLinks)
    .values({
      brandId: brand.id,
      tokenHash: digest(token),
      guestName: draft.guestName,
      canDecide: draft.canDecide,
      createdBy: responsibleOf(actor),
      createdAt: now(),
      expiresAt: expiryOf(draft, now()),
    })
    .returning()
  if (!link) throw new Error('A review link was not stored')
  await db
    .insert(reviewLinkPosts)
    .values(draft.postIds.map((postId) => ({ brandId: brand.id, linkId: link.id, postId })))
  recordChange(db, { object: 'review_link', id: link.id, after: { ...auditedFields(link), postIds: draft.postIds } })
  return { link: presentLink(link, draft.postIds, now()), token }
}

/** @throws {Problem} 404, and 403 for a test key and posts of other networks than the sandbox */
async function requirePosts({ db, actor }: LinkCall, brandId: string, ids: readonly string[]): Promise<void> {
  const found = await db
    .select({ id: posts.id, provider: posts.provider })
    .from(posts)
    .where(and(eq(posts.brandId, brandId), inArray(posts.id, [...ids])))
    // They aren't deleted before the link is stored.
    .for('key share')
  if (found.length < ids.length) throw notFound('post')
  for (const { provider } of found) requireNetworkAccess(actor, provider)
}

/** Concurrent callers wait. @throws {Problem} 409 */
async function requireRoom({ db, now }: LinkCall, brandId: string): Promise<void> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`review links ${brandId}`}, 0))`)
  const active = await db.$count(reviewLinks, and(eq(reviewLinks.brandId, brandId), hasState('active', now())))
  if (active < maxActive) return
  throw conflict(
    'too_many_review_links',
    `A brand can have at most ${maxActive} active review links. Revoke one first.`,
  )
}

/** @throws {Problem} 422 */
function expiryOf(
  { expiresAt, expiresInDays = defaultDays }: Pick<ReviewLinkEdit, 'expiresAt' | 'expiresInDays'>,
  now: Date,
): Date {
  if (!expiresAt) return new Date(now.getTime() + expiresInDays * day)
  if (expiresAt <= now) throw invalid([{ path: 'expiresAt', message: 'Must be in the future.' }])
  if (expiresAt.getTime() > now.getTime() + maxDays * day)
    throw invalid([{ path: 'expiresAt', message: `Must be at most ${maxDays} days ahead.` }])
  return expiresAt
}

const newestFirst = keyset(
  {
    createdAt: [reviewLinks.createdAt, z.iso.datetime().transform((text) => new Date(text))],
    id: [reviewLinks.id, Id],
  },
  'desc',
)

/** @throws {Problem} 404 for a brand of another organization */
export async function listLinks(call: LinkCall, filter: ReviewLinkFilter) {
  const { db, actor, now } = call
  const brand = await brands.get(db, actor, filter.brandId)
  const { postId, postIds = postId ? [postId] : undefined, state } = filter
  const slice = newestFirst.slice(filter)
  const ofPosts = postIds
    ? inArray(
        reviewLinks.id,
        db
          .select({ id: reviewLinkPosts.linkId })
          .from(reviewLinkPosts)
          .where(and(eq(reviewLinkPosts.brandId, brand.id), inArray(reviewLinkPosts.postId, postIds))),
      )
    : undefined
  const rows = await db
    .select()
    .from(reviewLinks)
    .where(and(eq(reviewLinks.brandId, brand.id), ofPosts, state && hasState(state, now()), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor }: PageOf<LinkRow> = slice.page(rows)
  const postsOf = await readPosts(db, brand.id, items)
  return { items: items.map((link) => presentLink(link, postsOf.get(link.id) ?? [], now())), nextCursor }
}

const hasState = (state: ReviewLinkState, now: Date): SQL | undefined =>
  state === 'revoked'
    ? isNotNull(reviewLinks.revokedAt)
    : and(
        isNull(reviewLinks.revokedAt),
        state === 'active' ? gt(reviewLinks.expiresAt, now) : lte(reviewLinks.expiresAt, now),
      )

/** A revoked link is revoked for good. @throws {Problem} 403 for a key whose link could decide, 404, 409 `review_link_revoked`, 422 */
export async function updateExpiry(call: LinkCall, edit: ReviewLinkEdit) {
  const { db, now } = call
  const before = await lockLink(call, edit.id)
  if (before.canDecide) requirePerson(call.actor)
  if (before.revokedAt) throw conflict('review_link_revoked', 'This link was revoked. Create another one.')
  const [after = before] = await db
    .update(reviewLinks)
    .set({ expiresAt: expiryOf(edit, now()), requestedAt: null })
    .where(eq(reviewLinks.id, before.id))
    .returning()
  await resolveAction(db, requestCause(after))
  recordChange(db, { object: 'review_link', id: after.id, before: auditedFields(before), after: auditedFields(after) })
  const postsOf = await readPosts(db, after.brandId, [after])
  return presentLink(after, postsOf.get(after.id) ?? [], now())
}

/** Decisions that began before are finished first, and then voided with the others of the link. Repeatable. @throws {Problem} 404 */
export async function revokeLink(call: LinkCall & Pick<Call, 'events' | 'queue'>, id: string): Promise<LinkRow> {
  const { db, now } = call
  const before = await lockLink(call, id)
  if (before.revokedAt) return before
  const [after = before] = await db
    .update(reviewLinks)
    .set({ revokedAt: now(), requestedAt: null })
    .where(eq(reviewLinks.id, id))
    .returning()
  await resolveAction(db, requestCause(after))
  await voidDecisionsOfLink(db, call, after)
  recordChange(db, { object: 'review_link', id, before: auditedFields(before), after: auditedFields(after) })
  return after
}

/** On the transaction that gives the brand to another organization. */
export async function revokeLinksOfBrand(tx: Database, brandId: string, now: Date): Promise<void> {
  await tx
    .update(reviewLinks)
    .set({ revokedAt: now, requestedAt: null })
    .where(and(eq(reviewLinks.brandId, brandId), isNull(reviewLinks.revokedAt)))
}

async function lockLink({ db, actor }: LinkCall, id: string): Promise<LinkRow> {
  const [link] = await db
    .select()
    .from(reviewLinks)
    .where(and(eq(reviewLinks.id, id), withinTenant(db, actor, reviewLinks.brandId)))
    .for('update')
  const brand = db.select({ id: reviewLinks.brandId }).from(reviewLinks).where(eq(reviewLinks.id, id))
  if (!link) throw await explainAbsence(db, actor, 'review link', brand)
  return link
}

async function readPosts(db: Database, brandId: string, links: readonly LinkRow[]): Promise<Map<string, string[]>> {
  if (links.length === 0) return new Map()
  const rows = await db
    .select({ linkId: reviewLinkPosts.linkId, postId: posts.id })
    .from(reviewLinkPosts)
    .innerJoin(posts, and(eq(posts.id, reviewLinkPosts.postId), eq(posts.brandId, reviewLinkPosts.brandId)))
    .where(
      and(
        eq(reviewLinkPosts.brandId, brandId),
        inArray(
          reviewLinkPosts.linkId,
          links.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(posts.id)
  return Map.groupBy(rows, ({ linkId }) => linkId)
    .entries()
    .reduce(
      (found, [linkId, of]) =>
        found.set(
          linkId,
          of.map(({ postId }) => postId),
        ),
      new Map<string, string[]>(),
    )
}

const auditedFields = ({ tokenHash: _hash, lastUsedAt: _used, ...described }: LinkRow) => described

const presentLink = (link: LinkRow, postIds: readonly string[], now: Date) => ({
  ...link,
  postIds: [...postIds],
  state: stateOf(link, now),
})

const stateOf = ({ revokedAt, expiresAt }: LinkRow, now: Date): ReviewLinkState =>
  revokedAt ? 'revoked' : expiresAt <= now ? 'expired' : 'active'
