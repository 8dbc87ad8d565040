import { and, eq, getTableColumns } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { demoBookings, inquiries } from '../../schema.ts'
import { referenceOf } from '../inquiries/store.ts'
import type { StoredBooking } from './contract.ts'
import { readBookingToken } from './link.ts'

const columns = {
  ...getTableColumns(demoBookings),
  name: inquiries.name,
  email: inquiries.email,
  message: inquiries.message,
}

type Work = Pick<Call, 'secrets' | 'now'>

/** @throws {Problem} 404 for a wrong or replaced link, and after the demo */
export async function findByToken({ secrets, now }: Work, db: Database, token: string) {
  const link = readBookingToken(secrets, token)
  const rows = link
    ? await db
        .select(columns)
        .from(demoBookings)
        .innerJoin(inquiries, eq(inquiries.id, demoBookings.id))
        .where(and(eq(demoBookings.id, link.id), eq(demoBookings.linkVersion, link.linkVersion)))
    : []
  const row = rows[0]
  if (!row || row.endsAt <= now()) throw notFound('booking')
  return { ...row, name: row.name ?? '', email: row.email ?? '' }
}

/** The same, and no one else changes it until the end of the transaction. */
export async function lockByToken(work: Work, tx: Database, token: string) {
  const { id } = await findByToken(work, tx, token)
  await tx.select({ id: demoBookings.id }).from(demoBookings).where(eq(demoBookings.id, id)).for('update')
  return findByToken(work, tx, token)
}

type Found = Awaited<ReturnType<typeof findByToken>>

export async function detailOf(
  { config, mail }: Pick<Call, 'config' | 'mail'>,
  db: Database,
  found: Found,
): Promise<StoredBooking> {
  const delivery = found.mailId === null ? undefined : (await mail.deliveries(db, [found.mailId])).get(found.mailId)
  return {
    ...found,
    reference: referenceOf({ id: found.id, kind: 'demo' }),
    meetingUrl: config.DEMO_URL ?? null,
    invitationRefused: delivery?.state === 'refused',
  }
}
