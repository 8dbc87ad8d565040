import { eq, sql } from 'drizzle-orm'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict } from '#lib/errors.ts'
import { demoBookings } from '../../schema.ts'
import { publishInbox } from '../inbox/publish.ts'
import { reminderMs, requireSlot } from './book.ts'
import type { StoredBooking } from './contract.ts'
import { detailOf, findByToken, lockByToken } from './find.ts'
import { slotTaken } from './free-slots.ts'
import { sendInvitation } from './letters.ts'

interface Move {
  token: string
  startsAt: Date
  timeZone?: string
}

/** Each sends an email, and the address can be a stranger's. */
const maxChanges = 10

export const alreadyCanceled = () => conflict('booking_canceled', 'This demo was canceled. Book a new one.')

/** Frees the old time in the same transaction. @throws {Problem} 404, 409 with the next free times, 422 */
export async function moveBooking(call: Call, { token, startsAt, timeZone }: Move): Promise<StoredBooking> {
  const slot = requireSlot(call, startsAt)
  const found = await findByToken(call, call.db, token)
  if (found.state === 'canceled') throw alreadyCanceled()
  if (found.startsAt.getTime() === startsAt.getTime()) return detailOf(call, call.db, found)
  const at = call.now()
  const remindedAt = slot.startsAt.getTime() - at.getTime() < reminderMs ? at : null
  const changes = { ...slot, timeZone: timeZone ?? found.timeZone, remindedAt }
  return change(call, token, changes, 'moved').catch(async (error: unknown) => {
    throw isOverlap(error) ? await slotTaken(call.db, call, startsAt) : error
  })
}

/** A canceled one stays canceled. @throws {Problem} 404 */
export async function cancelBooking(call: Call, token: string): Promise<StoredBooking> {
  const found = await findByToken(call, call.db, token)
  if (found.state === 'canceled') return detailOf(call, call.db, found)
  return change(call, token, { state: 'canceled' }, 'canceled')
}

/** @throws {Problem} 409 `too_many_moves` */
export function requireFewChanges({ sequence }: { sequence: number }): void {
  if (sequence >= maxChanges)
    throw conflict('too_many_moves', 'This demo was changed too often. Cancel it and book another one.')
}

type Changes = Partial<typeof demoBookings.$inferInsert>

const change = (call: Call, token: string, changes: Changes, kind: 'moved' | 'canceled'): Promise<StoredBooking> =>
  auditedTransaction(call, async (tx) => {
    const before = await lockByToken(call, tx, token)
    if (before.state === 'canceled') {
      if (kind === 'canceled') return detailOf(call, tx, before)
      throw alreadyCanceled()
    }
    if (kind === 'moved') requireFewChanges(before)
    await tx
      .update(demoBookings)
      .set({ ...changes, sequence: sql`${demoBookings.sequence} + 1` })
      .where(eq(demoBookings.id, before.id))
    const after = await findByToken(call, tx, token)
    recordChange(tx, {
      object: 'demo_booking',
      id: before.id,
      before: seen(before),
      after: seen(after),
      organizationId: null,
    })
    await sendInvitation(call, tx, kind, after)
    await publishInbox(call, tx)
    return detailOf(call, tx, await findByToken(call, tx, token))
  })

const seen = ({ startsAt, state }: { startsAt: Date; state: string }) => ({ startsAt, state })

/** The code of PostgreSQL for a violated exclusion constraint. */
const overlap = '23P01'

const isOverlap = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === overlap) || isOverlap(error.cause))
