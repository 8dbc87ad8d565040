import { and, asc, eq, gte, lt, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { databaseTime, type Database } from '#lib/db.ts'
import { decodePlace, encodeCursor } from '#lib/paginate.ts'
import { testKeyNetwork } from '../access.ts'
import * as brands from '../brands/brands.ts'
import { firstInstant, localTimes } from '../calendar/days.ts'
import { readPosts } from '../calendar/read-calendar.ts'
import { CalendarDay, type Queue, type QueueTime } from '../contract.ts'
import { listPauses } from '../pauses/find.ts'
import { posts } from '../schema.ts'
import { findFreeSlot, listSlotsUntil, type Slot } from '../slots/free.ts'
import { listClockChanges, type SlotClockChange } from '../slots/clock-changes.ts'
import { slotTimes } from '../slots/times.ts'
import type { QueueFilter } from './input.ts'

const Place = z.strictObject({ day: CalendarDay })

const dayMs = 24 * 3_600_000
/** More than a week, in which each slot occurs. */
const aroundMs = 8 * dayMs
/** Slots have no end. */
const maxAheadMs = 366 * dayMs
const maxOverdue = 1_000

/** @throws {Problem} 404 for a brand of another organization, 422 for the cursor of another list */
export async function readQueue(
  call: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>,
  { brandId, from: chosen, days, cursor, provider, accountId }: QueueFilter,
): Promise<z.input<typeof Queue>> {
  const { db, actor } = call
  const brand = await brands.get(db, actor, brandId)
  const { timeZone } = brand
  const now = await databaseTime(db)
  const localTime = localTimes(timeZone)
  const today = localTime(now).slice(0, 10)
  const wanted = cursor === undefined ? chosen : decodePlace(Place, cursor).day
  const first = wanted && wanted > today ? wanted : today
  const [from, to] = [firstInstant(first, timeZone), firstInstant(first, timeZone, days)]
  const filter = { brandId, provider, accountId, from, to }
  const [listed, drafts, slots, nextFree, overdue, next, pauses] = await Promise.all([
    readPosts(call, brand, { ...filter, status: 'scheduled' }),
    readPosts(call, brand, { ...filter, status: 'draft' }),
    listSlotsUntil(db, actor, brand, {
      now: new Date(Math.max(now.getTime(), from.getTime() - aroundMs)),
      end: new Date(to.getTime() + aroundMs),
    }),
    findFreeSlot(db, actor, brand, now),
    countOverdue(db, ofBrand(actor, brandId), firstInstant(today, timeZone)),
    findNextPost(db, ofBrand(actor, brandId), to),
    listPauses(db, actor, [brandId]),
  ])
  const nextAt = earliest(next, nextSlot(brand, to, now))
  const nextDay = CalendarDay.safeParse(nextAt && localTime(nextAt).slice(0, 10)).data
  const lastDay = Temporal.PlainDate.from(first).add({ days: days - 1 })
  const changes = listClockChanges(brand.queueSlots, timeZone, { from: new Date(from.getTime() - 1), until: to })
  return {
    items: timesOf([...listed.items, ...drafts.items.map(atItsTime)], slots, { from, to, localTime, changes }),
    from: first,
    to: lastDay.toString(),
    timeZone,
    omitted: listed.omitted + drafts.omitted,
    overdue,
    nextFree,
    isPaused: pauses.some(({ connectionId }) => connectionId === null),
    pausedAccounts: pauses.flatMap(({ connectionId }) => connectionId ?? []),
    nextCursor: nextDay === undefined ? null : encodeCursor({ day: nextDay }),
    can: listed.can,
  }
}

/** A planned draft keeps its slot; only scheduled posts are moved by slots. */
const atItsTime = (draft: Times[number]['posts'][number]) => ({ ...draft, can: { move: false } })

/** A test key counts what it reads (IDN-36). */
const ofBrand = ({ credential }: Actor, brandId: string): SQL | undefined =>
  and(
    eq(posts.brandId, brandId),
    eq(posts.status, 'scheduled'),
    credential.test ? eq(posts.provider, testKeyNetwork) : undefined,
  )

async function countOverdue(db: Database, scheduled: SQL | undefined, before: Date): Promise<number> {
  // Of scheduled posts, this is the scheduled time.
  const where = and(scheduled, lt(posts.sortAt, before))
  return (await db.select({ id: posts.id }).from(posts).where(where).limit(maxOverdue)).length
}

async function findNextPost(db: Database, scheduled: SQL | undefined, from: Date): Promise<Date | null> {
  const [next] = await db
    .select({ at: posts.sortAt })
    .from(posts)
    .where(and(scheduled, gte(posts.sortAt, from)))
    .orderBy(asc(posts.sortAt), asc(posts.id))
    .limit(1)
  return next?.at ?? null
}

function nextSlot({ queueSlots, timeZone }: brands.BrandRow, from: Date, now: Date): Date | null {
  if (from.getTime() > now.getTime() + maxAheadMs) return null
  const [at = null] = slotTimes(queueSlots, timeZone, new Date(from.getTime() - 1)).take(1)
  return at
}

const earliest = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)

interface Range {
  from: Date
  to: Date
  localTime(at: Date): string
  changes: readonly SlotClockChange[]
}

type Times = z.input<typeof QueueTime>[]

/** The slots of the range and the times of its posts, together. */
function timesOf(
  listed: Times[number]['posts'],
  slots: readonly Slot[],
  { from, to, localTime, changes }: Range,
): Times {
  const byChanged = new Map(changes.map((change) => [change.at.getTime(), change]))
  const bySlot = new Map(slots.map((slot) => [slot.at.getTime(), slot]))
  const byTime = Map.groupBy(listed, ({ scheduledAt }) => scheduledAt.getTime())
  const inRange = slots.map(({ at }) => at.getTime()).filter((at) => at >= from.getTime() && at < to.getTime())
  const times = [...new Set([...inRange, ...byTime.keys()])].toSorted((one, other) => one - other)
  let following = 0
  return times.map((time) => {
    // Both lists are in order.
    while (following < slots.length && (slots[following]?.at.getTime() ?? 0) <= time) following++
    const slot = bySlot.get(time)
    const at = new Date(time)
    return {
      at,
      localTime: localTime(at),
      isSlot: slot !== undefined,
      isFree: slot?.posts === 0,
      clockChange: (slot && byChanged.get(time)) ?? null,
      posts: byTime.get(time) ?? [],
      previousSlot: slots[following - (slot ? 2 : 1)]?.at ?? null,
      nextSlot: slots[following]?.at ?? null,
    }
  })
}
