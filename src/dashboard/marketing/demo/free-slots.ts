import { and, eq, gt, lt } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, type Problem } from '#lib/errors.ts'
import { demoBookings } from '../../schema.ts'
import { bookableSpan, slotsWithin, type Span } from './slots.ts'

export interface Slot extends Span {
  available: boolean
}

type Work = Pick<Call, 'config' | 'now'>

export async function listSlots(db: Database, { config, now }: Work, span: Span): Promise<Slot[]> {
  const slots = slotsWithin(config, span, now())
  const first = slots[0]
  const last = slots.at(-1)
  if (!first || !last) return []
  const taken = await db
    .select({ startsAt: demoBookings.startsAt, endsAt: demoBookings.endsAt })
    .from(demoBookings)
    .where(
      and(
        eq(demoBookings.state, 'booked'),
        lt(demoBookings.startsAt, last.endsAt),
        gt(demoBookings.endsAt, first.startsAt),
      ),
    )
  const overlaps = (one: Span, other: Span) => one.startsAt < other.endsAt && other.startsAt < one.endsAt
  return slots.map((slot) => ({ ...slot, available: !taken.some((other) => overlaps(slot, other)) }))
}

const offeredInstead = 5

/** The next free ones from a time on, then those before it. */
async function nextFreeSlots(db: Database, work: Work, from: Date): Promise<Span[]> {
  const slots = await listSlots(db, work, bookableSpan(work.config, work.now()))
  const free = slots.flatMap(({ available, startsAt, endsAt }) => (available ? [{ startsAt, endsAt }] : []))
  const later = free.filter(({ startsAt }) => startsAt >= from)
  const earlier = free.filter(({ startsAt }) => startsAt < from)
  return [...later, ...earlier].slice(0, offeredInstead)
}

/** 409 with the next free times. */
export async function slotTaken(db: Database, work: Work, startsAt: Date): Promise<Problem> {
  const nextSlots = await nextFreeSlots(db, work, startsAt)
  const detail =
    nextSlots.length > 0
      ? 'Someone else has just booked this time. Nothing is booked yet: choose another time, such as one of nextSlots.'
      : 'Someone else has just booked this time, and no other time is free. Nothing is booked.'
  const plain = nextSlots.map((slot) => ({
    startsAt: slot.startsAt.toISOString(),
    endsAt: slot.endsAt.toISOString(),
  }))
  return conflict('slot_taken', detail, { nextSlots: plain })
}
