import { and, asc, count, desc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import type { PostStatus } from '../contract.ts'
import { requireReach } from '../may.ts'
import { posts, publishAttempts } from '../schema.ts'
import { absent, withinTenant } from '../tenant.ts'

export { list, listSoonest, type ListedPost } from './list.ts'

export type PostRow = typeof posts.$inferSelect
export type AttemptRow = typeof publishAttempts.$inferSelect

/** What the audit log keeps of a post: what people write and see, not the scheduler's own notes. */
export function recorded(post: PostRow): Partial<PostRow> {
  const {
    dueAt: _due,
    leaseOwner: _owner,
    externalAccount: _account,
    rateLimitedSince: _since,
    sortAt: _sort,
    ...told
  } = post
  return told
}

const brandOf = (db: Database, id: string) => db.select({ id: posts.brandId }).from(posts).where(eq(posts.id, id))

const own = (db: Database, actor: Actor, id: string) => and(eq(posts.id, id), withinTenant(db, actor, posts.brandId))

/** One post. Throws 404 when it is absent or another organization's, 403 as `requireReach`. */
export async function get(db: Database, actor: Actor, id: string): Promise<PostRow> {
  const [post] = await db
    .select()
    .from(posts)
    .where(own(db, actor, id))
  if (!post) throw await absent(db, actor, 'post', brandOf(db, id))
  requireReach(actor, post.provider)
  return post
}

/** The post, held for this transaction. Throws 404, and 409 `publishing_in_progress` while it is being sent. */
export async function hold(db: Database, actor: Actor, id: string): Promise<PostRow> {
  const [post] = await db
    .select()
    .from(posts)
    .where(own(db, actor, id))
    .for('update')
  if (!post) throw await absent(db, actor, 'post', brandOf(db, id))
  requireReach(actor, post.provider)
  const sending = and(eq(publishAttempts.postId, id), eq(publishAttempts.state, 'sending'))
  if ((await db.select({ id: publishAttempts.id }).from(publishAttempts).where(sending)).length === 0) return post
  throw conflict('publishing_in_progress', 'This post is being published right now. Try again in a moment.')
}

/** How many posts of a brand are in each state. */
export async function countsByStatus(db: Database, actor: Actor, brandId: string): Promise<Record<PostStatus, number>> {
  const rows = await db
    .select({ status: posts.status, posts: count() })
    .from(posts)
    .where(and(eq(posts.brandId, brandId), withinTenant(db, actor, posts.brandId)))
    .groupBy(posts.status)
  const counts = { draft: 0, scheduled: 0, published: 0, failed: 0 }
  for (const row of rows) counts[row.status] = row.posts
  return counts
}

/** Every try to publish a post, latest first. */
export const attemptsOf = (db: Database, actor: Actor, postId: string): Promise<AttemptRow[]> =>
  db
    .select()
    .from(publishAttempts)
    .where(and(eq(publishAttempts.postId, postId), withinTenant(db, actor, publishAttempts.brandId)))
    .orderBy(desc(publishAttempts.number))

/** The parts of a thread in their order. */
export const threadOf = (db: Database, actor: Actor, threadId: string): Promise<PostRow[]> =>
  db
    .select()
    .from(posts)
    .where(and(eq(posts.threadId, threadId), withinTenant(db, actor, posts.brandId)))
    .orderBy(asc(posts.position))

/** The posts that one submission made, in the order of its targets. */
export const groupOf = (db: Database, actor: Actor, groupId: string): Promise<PostRow[]> =>
  db
    .select()
    .from(posts)
    .where(and(eq(posts.groupId, groupId), withinTenant(db, actor, posts.brandId)))
    .orderBy(asc(posts.id))
