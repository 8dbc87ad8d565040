import { and, eq, inArray, isNotNull, ne, sql, type SQL } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import type { Actor } from '#lib/actor.ts'
import { testKeyNetwork } from '../access.ts'
import type { BrandRow } from '../brands/brands.ts'
import { posts } from '../schema.ts'
import { slotTimes } from './times.ts'

type SlotBrand = Pick<BrandRow, 'id' | 'name' | 'timeZone' | 'queueSlots'>

/** Slots that are looked at together, and at most: half a year with the most slots that a brand can have. */
const step = 200
const maxSlots = 2_000

/**
 * The next slot without a scheduled or planned post of the brand, other than the given one. Concurrent callers wait for the end of
 * this transaction, so that no two posts get the same slot.
 * @throws {Problem} 409 `no_queue_slots` and `no_free_slot`
 */
export async function takeNextSlot(tx: Database, brand: SlotBrand, now: Date, exceptPostId?: string): Promise<Date> {
  if (brand.queueSlots.length === 0)
    throw conflict('no_queue_slots', `${brand.name} has no queue slots. Add some in the settings of the brand.`)
  await lockSlots(tx, brand.id)
  const free = await findFree(tx, brand, now, exceptPostId ? ne(posts.id, exceptPostId) : undefined)
  if (free) return free
  throw conflict('no_free_slot', `The next ${maxSlots.toLocaleString('en')} queue slots of ${brand.name} have posts.`)
}

/** Concurrent callers wait for the end of this transaction. */
export async function lockSlots(tx: Database, brandId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`slots ${brandId}`}, 0))`)
}

/** Another post can take it before this one does. Null without one. */
export const findFreeSlot = (db: Database, actor: Actor, brand: SlotBrand, now: Date): Promise<Date | null> =>
  findFree(db, brand, now, readableBy(actor))

/** A test key counts what it reads (IDN-36). */
const readableBy = ({ credential }: Actor): SQL | undefined =>
  credential.test ? eq(posts.provider, testKeyNetwork) : undefined

async function findFree(db: Database, brand: SlotBrand, now: Date, counted: SQL | undefined): Promise<Date | null> {
  let after = now
  for (let looked = 0; looked < maxSlots; looked += step) {
    const times = [...slotTimes(brand.queueSlots, brand.timeZone, after).take(step)]
    const taken = await countPosts(db, brand.id, times, counted)
    const free = times.find((at) => !taken.has(at.getTime()))
    if (free) return free
    after = times.at(-1) ?? after
  }
  return null
}

export interface Slot {
  at: Date
  posts: number
}

/** The next slots, with how many scheduled and planned posts of the brand each has. */
export const listSlots = (
  db: Database,
  actor: Actor,
  brand: SlotBrand,
  { now, limit }: { now: Date; limit: number },
): Promise<Slot[]> => withPosts(db, actor, brand.id, [...slotTimes(brand.queueSlots, brand.timeZone, now).take(limit)])

/** The same of all slots before an instant. */
export const listSlotsUntil = (
  db: Database,
  actor: Actor,
  brand: SlotBrand,
  { now, end }: { now: Date; end: Date },
): Promise<Slot[]> => {
  const times: Date[] = []
  for (const at of slotTimes(brand.queueSlots, brand.timeZone, now)) {
    if (at >= end) break
    times.push(at)
  }
  return withPosts(db, actor, brand.id, times)
}

async function withPosts(db: Database, actor: Actor, brandId: string, times: readonly Date[]): Promise<Slot[]> {
  const counts = await countPosts(db, brandId, times, readableBy(actor))
  return times.map((at) => ({ at, posts: counts.get(at.getTime()) ?? 0 }))
}

/** Scheduled posts and planned drafts by their time in milliseconds, of these times. */
async function countPosts(
  db: Database,
  brandId: string,
  times: readonly Date[],
  counted: SQL | undefined,
): Promise<Map<number, number>> {
  if (times.length === 0) return new Map()
  const rows = await db
    // Of posts with a time, this is that time.
    .select({ at: posts.sortAt, count: sql<number>`count(*)::int` })
    .from(posts)
    .where(
      and(
        eq(posts.brandId, brandId),
        inArray(posts.status, ['scheduled', 'draft']),
        isNotNull(posts.scheduledAt),
        inArray(posts.sortAt, [...times]),
        counted,
      ),
    )
    .groupBy(posts.sortAt)
  return new Map(rows.map(({ at, count }) => [at.getTime(), count]))
}
