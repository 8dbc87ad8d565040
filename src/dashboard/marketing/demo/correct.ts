import { eq, sql } from 'drizzle-orm'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { demoBookings, inquiries } from '../../schema.ts'
import { publishInbox } from '../inbox/publish.ts'
import { countForm } from '../quota.ts'
import { lockAddress, requireFew } from './book.ts'
import { alreadyCanceled, requireFewChanges } from './change.ts'
import type { DemoBookingAddress, StoredBooking } from './contract.ts'
import { detailOf, findByToken, lockByToken } from './find.ts'
import { sendInvitation } from './letters.ts'

/**
 * Sends the invitation again, also to the same address. Limited as bookings are, since the address can be a stranger's.
 * @throws {Problem} 404, 409, 429
 */
export const correctAddress = (call: Call, { token, email }: DemoBookingAddress): Promise<StoredBooking> =>
  auditedTransaction(call, async (tx) => {
    await lockAddress(tx, email)
    const before = await lockByToken(call, tx, token)
    if (before.state === 'canceled') throw alreadyCanceled()
    requireFewChanges(before)
    if (before.email !== email) await requireFew(tx, email, call.now())
    await countForm(call, tx, 'demo')
    await tx.update(inquiries).set({ email }).where(eq(inquiries.id, before.id))
    await tx
      .update(demoBookings)
      .set({ sequence: sql`${demoBookings.sequence} + 1` })
      .where(eq(demoBookings.id, before.id))
    const corrected = await findByToken(call, tx, token)
    // The address itself must not be in the log.
    const after = { addressCorrected: before.email !== email }
    recordChange(tx, { object: 'demo_booking', id: before.id, after, organizationId: null })
    await sendInvitation(call, tx, 'booked', corrected)
    await publishInbox(call, tx)
    return detailOf(call, tx, await findByToken(call, tx, token))
  })
