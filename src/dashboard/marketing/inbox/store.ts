import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { beginWith } from '#lib/db/words.ts'
import { notFound } from '#lib/errors.ts'
import { byId } from '#lib/paginate.ts'
import { demoBookings, inquiries, inquiryWordsOf } from '../../schema.ts'
import { keptDays } from '../inquiries/contract.ts'
import { expiryOf, referenceOf } from '../inquiries/store.ts'
import type { InboxFilter, InboxItem } from './contract.ts'
import { publishInbox } from './publish.ts'

const newestFirst = byId(inquiries.id, 'desc')

const columns = {
  ...getTableColumns(inquiries),
  demo: {
    startsAt: demoBookings.startsAt,
    endsAt: demoBookings.endsAt,
    timeZone: demoBookings.timeZone,
    state: demoBookings.state,
  },
}

const selected = (db: Database) =>
  db.select(columns).from(inquiries).leftJoin(demoBookings, eq(demoBookings.id, inquiries.id))

const described = <Row extends { id: string; kind: string }>(row: Row) => ({ ...row, reference: referenceOf(row) })

export function selectInbox(db: Database, { q, kind, state, ...query }: InboxFilter) {
  const { where, order, limit } = newestFirst.slice(query)
  const matches = q ? beginWith(inquiryWordsOf(inquiries), q) : undefined
  return selected(db)
    .where(and(where, kind && eq(inquiries.kind, kind), state && eq(inquiries.state, state), matches))
    .orderBy(...order)
    .limit(limit)
}

export async function listInbox(db: Database, filter: InboxFilter) {
  const rows = await selectInbox(db, filter)
  return newestFirst.slice(filter).page(rows.map(described))
}

/** @throws {Problem} 404 */
export async function findInquiry(db: Database, id: string) {
  const [row] = await selected(db).where(eq(inquiries.id, id))
  if (!row) throw notFound('message')
  return described(row)
}

/** Spam is deleted sooner, and what is opened again is kept as long as before. */
export async function changeState(
  { db, actor, events, now }: Call<unknown, Actor>,
  id: string,
  state: InboxItem['state'],
): Promise<void> {
  const before = await findInquiry(db, id)
  if (before.state === state) return
  const isSpam = state === 'spam'
  const days = isSpam ? keptDays.spam : daysOf(before)
  const isUnconfirmed = before.kind === 'waitlist' && before.confirmedAt === null
  const from = isSpam || isUnconfirmed ? now() : (before.confirmedAt ?? before.createdAt)
  await db
    .update(inquiries)
    .set({ state, handledBy: actor.principal.id, handledAt: now(), expiresAt: expiryOf(from, days) })
    .where(eq(inquiries.id, id))
  recordChange(db, { object: 'inquiry', id, before: { state: before.state }, after: { state } })
  await publishInbox({ events }, db)
}

const daysOf = ({ kind, confirmedAt }: { kind: InboxItem['kind']; confirmedAt: Date | null }): number =>
  kind !== 'waitlist' ? keptDays.message : confirmedAt ? keptDays.waitlist : keptDays.unconfirmed

/** Everything of an address, with its demos, whose times become free. */
export async function eraseVisitor({ db, events }: Pick<Call, 'db' | 'events'>, email: string): Promise<number> {
  const erased = await db
    .delete(inquiries)
    .where(eq(inquiries.email, sql`lower(${email})`))
    .returning({ id: inquiries.id })
  // The address itself must not stay in the log.
  for (const { id } of erased) recordChange(db, { object: 'inquiry', id, after: { erased: true } })
  await publishInbox({ events }, db)
  return erased.length
}
