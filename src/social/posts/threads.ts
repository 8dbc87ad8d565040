import { and, asc, eq, gt, gte, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { withinTenant } from '../access.ts'
import type { ChangeCall } from '../change-call.ts'
import type { PostRow } from './posts.ts'
import { posts } from '../schema.ts'

/** Always in the same order, so that concurrent changes don't deadlock. */
export async function lockThread(db: Database, actor: Actor, postId: string): Promise<void> {
  const own = and(eq(posts.id, postId), withinTenant(db, actor, posts.brandId))
  const thread = db.select({ id: posts.threadId }).from(posts).where(own)
  await db
    .select({ id: posts.id })
    .from(posts)
    .where(sql`${posts.threadId} = (${thread})`)
    .orderBy(asc(posts.position))
    .for('update')
}

/** More than the posts of a thread. */
const aside = 1_000_000

/** The scheduler then finds their new predecessors. */
export const closeGap = (db: Database, threadId: string, position: number): Promise<PostRow[]> =>
  shift(db, threadId, position + 1, -1)

/**
 * Makes room in a thread for a restored post. Parts were created in the order of their IDs, so their positions don't
 * depend on the order in which several are restored.
 * @returns its position, and the scheduled posts that moved down; null when a later post is already published
 */
export async function openGap(
  db: Database,
  threadId: string,
  restoredId: string,
): Promise<{ position: number; moved: PostRow[] } | null> {
  // A thread without remaining parts has no rows to lock.
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`thread ${threadId}`}, 0))`)
  const rows = await db
    .select({ id: posts.id, status: posts.status })
    .from(posts)
    .where(eq(posts.threadId, threadId))
    .orderBy(asc(posts.position))
    .for('update')
  if (rows.some(({ id, status }) => id > restoredId && status === 'published')) return null
  const position = rows.filter(({ id }) => id < restoredId).length
  return { position, moved: await shift(db, threadId, position, 1) }
}

/** Moves the posts of a thread from a position on, and returns the scheduled ones. */
async function shift(db: Database, threadId: string, from: number, by: 1 | -1): Promise<PostRow[]> {
  // In two steps, because the unique (thread, position) is checked row by row.
  await db
    .update(posts)
    .set({ position: sql`${posts.position} + ${aside}` })
    .where(and(eq(posts.threadId, threadId), gte(posts.position, from)))
  const moved = await db
    .update(posts)
    .set({ position: sql`${posts.position} - ${aside - by}`, ...ofSchedule, waitingFor: null })
    .where(and(eq(posts.threadId, threadId), gte(posts.position, aside)))
    .returning()
  return moved.filter(({ status }) => status === 'scheduled')
}

const ofSchedule = {
  dueAt: sql`case when ${posts.status} = 'scheduled' then ${posts.scheduledAt} else ${posts.dueAt} end`,
  leaseOwner: null,
}

/** Makes the scheduled posts after a published one due at their own time, not at the scheduler's next check. */
export async function wakeNextPart(db: Database, { threadId, position }: PostRow): Promise<PostRow[]> {
  if (!threadId) return []
  return db
    .update(posts)
    .set({ dueAt: posts.scheduledAt, leaseOwner: null, waitingFor: null })
    .where(and(eq(posts.threadId, threadId), gt(posts.position, position), eq(posts.status, 'scheduled')))
    .returning()
}

export async function isFollowed({ db }: ChangeCall, { threadId, position }: PostRow): Promise<boolean> {
  if (!threadId) return false
  const later = and(eq(posts.threadId, threadId), gt(posts.position, position))
  return (await db.select({ id: posts.id }).from(posts).where(later).limit(1)).length > 0
}
