import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { requireNetworkAccess, explainAbsence, withinTenant } from '../access.ts'
import { posts, publishAttempts } from '../schema.ts'

export type PostRow = typeof posts.$inferSelect
export type AttemptRow = typeof publishAttempts.$inferSelect

export function auditedFields(post: PostRow): Partial<PostRow> {
  const {
    dueAt: _due,
    leaseOwner: _owner,
    externalAccount: _account,
    rateLimitedSince: _since,
    sortAt: _sort,
    updatedBy: _saver,
    ...described
  } = post
  return described
}

export const brandOf = (db: Database, id: string) =>
  db.select({ id: posts.brandId }).from(posts).where(eq(posts.id, id))

export const ownPost = (db: Database, actor: Actor, id: string) =>
  and(eq(posts.id, id), withinTenant(db, actor, posts.brandId))

/** @throws {Problem} 404 when it is absent or another organization's, 403 as `requireNetworkAccess` */
export async function get(db: Database, actor: Actor, id: string): Promise<PostRow> {
  const [post] = await db
    .select()
    .from(posts)
    .where(ownPost(db, actor, id))
  if (!post) throw await explainAbsence(db, actor, 'post', brandOf(db, id))
  requireNetworkAccess(actor, post.provider)
  return post
}

/** @throws {Problem} as `get`, and 409 `publishing_in_progress` */
export async function lockPost(db: Database, actor: Actor, id: string): Promise<PostRow> {
  const [post] = await db
    .select()
    .from(posts)
    .where(ownPost(db, actor, id))
    .for('update')
  if (!post) throw await explainAbsence(db, actor, 'post', brandOf(db, id))
  requireNetworkAccess(actor, post.provider)
  await requireNotSending(db, [id])
  return post
}

/** Of posts that the transaction holds. @throws {Problem} 409 `publishing_in_progress` */
export async function requireNotSending(db: Database, ids: readonly string[]): Promise<void> {
  const sending = and(inArray(publishAttempts.postId, [...ids]), eq(publishAttempts.state, 'sending'))
  if ((await db.select({ id: publishAttempts.id }).from(publishAttempts).where(sending).limit(1)).length === 0) return
  throw conflict('publishing_in_progress', 'This post is being published right now. Try again in a moment.')
}

/** Until then the post can be changed but not deleted. @throws {Problem} 404 when it was deleted in the meantime */
export async function keepUntilCommit(db: Database, id: string): Promise<void> {
  const kept = await db.select({ id: posts.id }).from(posts).where(eq(posts.id, id)).for('key share')
  if (kept.length === 0) throw notFound('post')
}

export async function listAttempts(db: Database, actor: Actor, postId: string): Promise<AttemptRow[]> {
  await get(db, actor, postId)
  return db
    .select()
    .from(publishAttempts)
    .where(eq(publishAttempts.postId, postId))
    .orderBy(desc(publishAttempts.number))
}
