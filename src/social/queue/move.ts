import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { databaseTime, type Database } from '#lib/db.ts'
import { conflict, invalid, Problem } from '#lib/errors.ts'
import type { Call } from '#lib/call.ts'
import { isSameAccount } from '#views/social/queue/same-account.ts'
import type { BrandRow } from '../brands/brands.ts'
import * as brands from '../brands/brands.ts'
import { readAccounts } from '../calendar/accounts.ts'
import { move } from '../calendar/move.ts'
import type { ChangeCall } from '../change-call.ts'
import { maxPosts } from '../posts/input.ts'
import { get, type PostRow } from '../posts/posts.ts'
import { invalidTransition } from '../posts/transitions.ts'
import { posts } from '../schema.ts'
import { lockSlots } from '../slots/free.ts'
import { slotTimes } from '../slots/times.ts'
import type { QueueMove } from './input.ts'

type MoveCall = ChangeCall & Pick<Call, 'identity'>

export interface Moved {
  before: PostRow
  /** The moved post, its thread, and the posts that got its former time. */
  posts: PostRow[]
  swapped: number
  brand: BrandRow
}

/**
 * Schedules a post for a slot. Posts of the same account in it get its former time. Moves of a brand wait for each other.
 * @throws {Problem} as `move`, 409 when they can't swap, and 422 for a time that isn't a slot
 */
export async function moveToSlot(call: MoveCall, { postId, to, version }: QueueMove): Promise<Moved> {
  const { db, actor } = call
  const { brandId } = await get(db, actor, postId)
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`queue ${brandId}`}, 0))`)
  const brand = await brands.get(db, actor, brandId)
  const now = await databaseTime(db)
  requireSlot(brand, to, now)
  await lockRows(db, await get(db, actor, postId), to)
  await lockSlots(db, brandId)
  const before = await get(db, actor, postId)
  if (before.status !== 'scheduled' || !before.scheduledAt) throw invalidTransition(before, 'be moved in the queue')
  if (before.scheduledAt.getTime() === to.getTime())
    throw invalid([{ path: 'to', message: 'Choose another slot. The post is in this one.' }])
  const others = await listOfAccount(db, before, to)
  if (others.length > 0 && before.scheduledAt <= now) throw cannotSwap('That time has passed. Choose a free slot.')
  const { ids } = await move(call, { postId, scheduledAt: to, version })
  const swapped = await swap(call, others, before.scheduledAt)
  const all = [...ids, ...swapped]
  if (all.length > maxPosts) throw cannotSwap(`At most ${maxPosts} posts are moved at once. Choose a free slot.`)
  const rows = await db.select().from(posts).where(inArray(posts.id, all))
  const moved = rows.toSorted((one, other) => all.indexOf(one.id) - all.indexOf(other.id))
  return { before, posts: moved, swapped: swapped.length, brand }
}

function requireSlot({ queueSlots, timeZone }: BrandRow, to: Date, now: Date): void {
  const [slot] = slotTimes(queueSlots, timeZone, new Date(to.getTime() - 1)).take(1)
  if (to > now && slot?.getTime() === to.getTime()) return
  throw invalid([{ path: 'to', message: 'Must be the time of a coming queue slot of the brand.' }])
}

const inSlot = ({ brandId, provider }: PostRow, at: Date) =>
  and(eq(posts.brandId, brandId), eq(posts.status, 'scheduled'), eq(posts.sortAt, at), eq(posts.provider, provider))

/** All posts that a move can change, always in the same order, so that concurrent changes don't deadlock. */
async function lockRows(db: Database, post: PostRow, to: Date): Promise<void> {
  const threads = db
    .select({ id: posts.threadId })
    .from(posts)
    .where(or(eq(posts.id, post.id), inSlot(post, to)))
  await db
    .select({ id: posts.id })
    .from(posts)
    .where(or(eq(posts.id, post.id), inSlot(post, to), inArray(posts.threadId, threads)))
    .orderBy(asc(posts.id))
    .for('update')
}

/** Posts in a slot to the account of this post, other than those of its thread, which move with it. */
async function listOfAccount(db: Database, post: PostRow, at: Date): Promise<PostRow[]> {
  const [accountOf, rows] = await Promise.all([
    readAccounts(db, post.brandId),
    db
      .select()
      .from(posts)
      .where(inSlot(post, at))
      .orderBy(asc(posts.position), asc(posts.id))
      .limit(maxPosts + 1),
  ])
  const own = { provider: post.provider, account: accountOf(post) }
  return rows.filter(
    (row) =>
      row.id !== post.id &&
      (row.threadId === null || row.threadId !== post.threadId) &&
      isSameAccount(own, { provider: row.provider, account: accountOf(row) }),
  )
}

/** Returns the IDs of all posts that got another time. */
async function swap(call: MoveCall, others: readonly PostRow[], at: Date): Promise<string[]> {
  const moved: string[] = []
  for (const { id } of others) {
    // Moved with an earlier part of its thread.
    if (moved.includes(id)) continue
    try {
      moved.push(...(await move(call, { postId: id, scheduledAt: at })).ids)
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      throw cannotSwap(error.options.errors?.[0]?.message ?? error.message)
    }
  }
  return moved
}

const cannotSwap = (reason: string): Problem =>
  conflict('swap_refused', `The post in this slot can’t get the former time of the moved one. ${reason}`)
