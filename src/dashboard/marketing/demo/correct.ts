import { eq } from 'drizzle-orm'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { demoBookings, inquiries } from '../../schema.ts'
import { publishInbox } from '../inbox/publish.ts'
import { countForm } from '../quota.ts'
import { lockAddress, requireFew } from './book.ts'
import { alreadyCanceled, requireFewChanges } from './change.ts'
import type { DemoBookingAddress, StoredBooking } from './contract.ts'
import { detailOf, findByToken, lockByToken } from './find.ts'
import { sendInvitation, withdrawInvitation } from './letters.ts'
import { createBookingToken } from './link.ts'

/**
 * Sends the invitation again, also to the same address; another one gets a new link, and the old link stops working. Limited as bookings are, since the address can be that of a stranger.
 * @throws {Problem} 404, 409, 429
 */
export const correctAddress = (
  call: Call,
  { token, email }: DemoBookingAddress,
): Promise<StoredBooking & { token: string }> =>
  auditedTransaction(call, async (tx) => {
    await lockAddress(tx, email)
    const before = await lockByToken(call, tx, token)
    if (before.state === 'canceled') throw alreadyCanceled()
    requireFewChanges(before)
    const isOther = before.email !== email
    if (isOther) await requireFew(tx, email, call.now())
    await countForm(call, tx, 'demo')
    await tx.update(inquiries).set({ email }).where(eq(inquiries.id, before.id))
    const sequence = before.sequence + 1
    const linkVersion = before.linkVersion + (isOther ? 1 : 0)
    await tx.update(demoBookings).set({ sequence, linkVersion }).where(eq(demoBookings.id, before.id))
    const newToken = createBookingToken(call.secrets, { id: before.id, linkVersion })
    const corrected = await findByToken(call, tx, newToken)
    // The address itself must not be in the log.
    const after = { addressCorrected: isOther }
    recordChange(tx, { object: 'demo_booking', id: before.id, after, organizationId: null })
    const { invitationRefused } = await detailOf(call, tx, before)
    if (isOther && !invitationRefused) await withdrawInvitation(call, tx, { ...before, sequence })
    await sendInvitation(call, tx, 'booked', corrected)
    await publishInbox(call, tx)
    return { ...(await detailOf(call, tx, await findByToken(call, tx, newToken))), token: newToken }
  })
