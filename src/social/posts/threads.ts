import { and, asc, eq, gt, gte, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { ChangeCall } from '../change-call.ts'
import type { PostRow } from './posts.ts'
import { posts } from '../schema.ts'

/** Holds all parts of a post's thread for this transaction, first part first, so that two who change it don't block. */
export async function holdThread(db: Database, postId: string): Promise<void> {
  const thread = db.select({ id: posts.threadId }).from(posts).where(eq(posts.id, postId))
  await db
    .select({ id: posts.id })
    .from(posts)
    .where(sql`${posts.threadId} = (${thread})`)
    .orderBy(asc(posts.position))
    .for('update')
}

/** Parts after this many would need a larger step aside. */
const aside = 1_000_000

/** Moves the parts after a removed one up by one, and lets them find their new predecessor. */
export async function closeGap(db: Database, threadId: string, position: number): Promise<PostRow[]> {
  const after = and(eq(posts.threadId, threadId), gt(posts.position, position))
  // In two steps: the unique (thread, position) is checked row by row.
  await db
    .update(posts)
    .set({ position: sql`${posts.position} + ${aside}` })
    .where(after)
  const moved = await db
    .update(posts)
    .set({ position: sql`${posts.position} - ${aside + 1}`, ...ofSchedule, waitingFor: null })
    .where(and(eq(posts.threadId, threadId), gte(posts.position, aside)))
    .returning()
  return moved.filter(({ status }) => status === 'scheduled')
}

/** Due by its own schedule, and claimed by no scheduler; of what has no schedule, as it is. */
const ofSchedule = {
  dueAt: sql`case when ${posts.status} = 'scheduled' then ${posts.scheduledAt} else ${posts.dueAt} end`,
  leaseOwner: null,
}

/** The part that follows a published one is due by its own schedule again, not by its next look. */
export async function wakeAfter(db: Database, { threadId, position }: PostRow): Promise<PostRow[]> {
  if (!threadId) return []
  return db
    .update(posts)
    .set({ dueAt: posts.scheduledAt, leaseOwner: null, waitingFor: null })
    .where(and(eq(posts.threadId, threadId), gt(posts.position, position), eq(posts.status, 'scheduled')))
    .returning()
}

/** Whether a later part replies to this one. */
export async function isFollowed({ db }: ChangeCall, { threadId, position }: PostRow): Promise<boolean> {
  if (!threadId) return false
  const later = and(eq(posts.threadId, threadId), gt(posts.position, position))
  return (await db.select({ id: posts.id }).from(posts).where(later).limit(1)).length > 0
}
