import { and, eq, gt, sql } from 'drizzle-orm'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { digest, newId } from '#lib/ids.ts'
import { createTurns } from '#lib/turns.ts'
import { demoBookings, inquiries } from '../../schema.ts'
import { keptDays } from '../inquiries/contract.ts'
import { insertInquiry } from '../inquiries/store.ts'
import { countForm } from '../quota.ts'
import type { DemoBookingInput } from './contract.ts'
import { listSlots, slotTaken } from './free-slots.ts'
import { sendInvitation } from './letters.ts'
import { findSlot, type Span } from './slots.ts'

export const reminderMs = 24 * 60 * 60_000
const dayMs = 24 * 60 * 60_000
/** Of one email address, which can be a stranger's: in the future, and in a day, also canceled ones. */
const [maxUpcoming, maxPerDay] = [2, 5]

/** @throws {Problem} 422 for a time that isn't offered */
export function requireSlot({ config, now }: Pick<Call, 'config' | 'now'>, startsAt: Date): Span {
  const slot = findSlot(config, startsAt, now())
  if (!slot) throw invalid([{ path: 'startsAt', message: 'Choose one of the offered times.' }])
  return slot
}

const busy = { code: 'busy', detail: 'Many people are booking right now. Nothing was booked. Try again.' }

/** People who want one time take turns, so that a rush holds few connections to the database. */
const turns = createTurns({
  lanes: 4,
  waiting: 1000,
  bytes: 10_000,
  tenantBytes: 10_000,
  refusals: { tooMany: busy, busy },
})
const maxWaitMs = 25_000

type Outcome = { id: string; isRepeat: boolean } & Span

/** `isRepeat` when this address already has the time. @throws {Problem} 409 with the next free times, 422, 429, 503 */
export async function bookDemo(call: Call<DemoBookingInput>): Promise<Outcome> {
  const slot = requireSlot(call, call.input.startsAt)
  const request = { tenant: slot.startsAt.toISOString(), bytes: 1, waitMs: maxWaitMs, signal: call.signal }
  return turns.take(request, () => bookInTurn(call, slot))
}

async function bookInTurn(call: Call<DemoBookingInput>, slot: Span): Promise<Outcome> {
  const { input, db } = call
  const upcoming = await upcomingOf(db, input.email, call.now())
  const same = upcoming.find(({ startsAt }) => startsAt.getTime() === slot.startsAt.getTime())
  if (same) return { id: same.id, isRepeat: true, ...slot }
  await requireFew(db, input.email, call.now())
  // Most of those who are late only read.
  const [free] = await listSlots(db, call, slot)
  const id = free?.available ? await store(call, slot) : null
  if (!id) throw await slotTaken(db, call, slot.startsAt)
  return { id, isRepeat: false, ...slot }
}

const upcomingOf = (db: Database, email: string, now: Date) =>
  db
    .select({ id: demoBookings.id, startsAt: demoBookings.startsAt })
    .from(demoBookings)
    .innerJoin(inquiries, eq(inquiries.id, demoBookings.id))
    .where(and(eq(inquiries.email, email), eq(demoBookings.state, 'booked'), gt(demoBookings.endsAt, now)))

/** Of requests of one address at once, each sees those before it. */
export async function lockAddress(tx: Database, email: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`demo bookings ${email}`}, 0))`)
}

/** @throws {Problem} 409 `too_many_bookings` */
export async function requireFew(db: Database, email: string, now: Date): Promise<void> {
  if ((await upcomingOf(db, email, now)).length >= maxUpcoming)
    throw conflict(
      'too_many_bookings',
      'This address already has two demos. Move or cancel one by the link in its email.',
    )
  const since = new Date(now.getTime() - dayMs)
  const recent = and(eq(inquiries.kind, 'demo'), eq(inquiries.email, email), gt(inquiries.createdAt, since))
  if ((await db.$count(inquiries, recent)) >= maxPerDay)
    throw conflict('too_many_bookings', 'This address booked too many demos today. Try again tomorrow.')
}

class Taken extends Error {}

/** Null when another booking was committed first: the exclusion constraint decides. */
async function store(call: Call<DemoBookingInput>, slot: Span): Promise<string | null> {
  const { input, now } = call
  const id = newId()
  const timeZone = input.timeZone ?? 'UTC'
  const remindedAt = slot.startsAt.getTime() - now().getTime() < reminderMs ? now() : null
  const work = async (tx: Database) => {
    const { email, name, message } = input
    await lockAddress(tx, email)
    await requireFew(tx, email, now())
    const visitor = { kind: 'demo' as const, topics: [], name, email, message, fingerprint: digest(id) }
    await insertInquiry(tx, call, { id, ...visitor }, keptDays.message)
    const row = { id, ...slot, timeZone, remindedAt, createdAt: now() }
    const stored = await tx.insert(demoBookings).values(row).onConflictDoNothing().returning({ id: demoBookings.id })
    if (stored.length === 0) throw new Taken()
    // Only those who get a time are counted: many people can share a network.
    await countForm(call, tx, 'demo')
    recordChange(tx, { object: 'demo_booking', id, after: { startsAt: slot.startsAt }, organizationId: null })
    await sendInvitation(call, tx, 'booked', { ...row, sequence: 0, linkVersion: 0, name, email })
    return id
  }
  return auditedTransaction(call, work).catch((error: unknown) => {
    if (error instanceof Taken) return null
    throw error
  })
}
