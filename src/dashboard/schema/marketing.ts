import { sql, type SQL } from 'drizzle-orm'
import { check, index, integer, text, uniqueIndex, uuid, type AnyPgColumn } from 'drizzle-orm/pg-core'
import { wordsOfText } from '#lib/db/words.ts'
import { createdAt, dashboard, id, time } from './base.ts'

export const inquiryKinds = ['contact', 'feedback', 'waitlist', 'demo'] as const
export const inquiryStates = ['open', 'done', 'spam'] as const

interface Sent {
  id: AnyPgColumn
  kind: AnyPgColumn
  name: AnyPgColumn
  email: AnyPgColumn
  message: AnyPgColumn
}

/** With the reference that its sender was told. */
export const inquiryWordsOf = (sent: Sent): SQL =>
  wordsOfText(sent.name, sent.email, sent.message, sql`left(${sent.kind}, 1) || '-' || right(${sent.id}::text, 6)`)

/** What visitors of the public pages sent. They belong to no organization. */
export const inquiries = dashboard.table(
  'inquiries',
  {
    id: id(),
    kind: text({ enum: inquiryKinds }).notNull(),
    topics: text().array().notNull(),
    name: text(),
    /** In lower case. */
    email: text(),
    message: text(),
    state: text({ enum: inquiryStates }).notNull().default('open'),
    /** The super admin who changed the state last. */
    handledBy: uuid(),
    handledAt: time(),
    /** Of the waitlist: when the person followed the link in their email. */
    confirmedAt: time(),
    /** The same text again is stored once. */
    fingerprint: text().notNull(),
    createdAt: createdAt(),
    expiresAt: time().notNull(),
  },
  (table) => [
    uniqueIndex('inquiries_fingerprint').on(table.fingerprint),
    index('inquiries_state').on(table.state, table.id),
    index('inquiries_kind').on(table.kind, table.id),
    index('inquiries_email').on(table.email),
    index('inquiries_words').using('gin', inquiryWordsOf(table)),
    index('inquiries_expiry').on(table.expiresAt),
    check('inquiries_kind_known', sql`${table.kind} IN ('contact', 'feedback', 'waitlist', 'demo')`),
    check('inquiries_state_known', sql`${table.state} IN ('open', 'done', 'spam')`),
    check('inquiries_handled', sql`(${table.handledBy} IS NULL) = (${table.handledAt} IS NULL)`),
    check('inquiries_email_case', sql`${table.email} = lower(${table.email})`),
    check('inquiries_confirmed', sql`${table.confirmedAt} IS NULL OR ${table.kind} = 'waitlist'`),
  ],
)

/** No two booked ones overlap: `demo_bookings_taken`, an exclusion constraint of the migration. */
export const demoBookings = dashboard.table(
  'demo_bookings',
  {
    id: uuid()
      .primaryKey()
      .references(() => inquiries.id, { onDelete: 'cascade' }),
    startsAt: time().notNull(),
    endsAt: time().notNull(),
    /** The visitor's, in which their emails show the time. */
    timeZone: text().notNull(),
    state: text({ enum: ['booked', 'canceled'] })
      .notNull()
      .default('booked'),
    /** Of the calendar event: counts its changes (RFC 5545, 3.8.7.4). */
    sequence: integer().notNull().default(0),
    /** Of the links in its emails: only those of this version work. */
    linkVersion: integer().notNull().default(0),
    /** The last invitation; null after it was deleted. */
    mailId: uuid(),
    remindedAt: time(),
    createdAt: createdAt(),
  },
  (table) => [
    index('demo_bookings_reminders')
      .on(table.startsAt)
      .where(sql`state = 'booked' AND reminded_at IS NULL`),
    check('demo_bookings_state', sql`${table.state} IN ('booked', 'canceled')`),
    check('demo_bookings_order', sql`${table.startsAt} < ${table.endsAt}`),
    check('demo_bookings_sequence', sql`${table.sequence} >= 0`),
    check('demo_bookings_link_version', sql`${table.linkVersion} >= 0`),
  ],
)

/** Of super admins who confirmed that it’s them. */
export const adminSessions = dashboard.table(
  'admin_sessions',
  {
    id: id(),
    personId: uuid().notNull(),
    /** The sign-in that opened it. No other one of the person can use it. */
    credentialId: text().notNull(),
    tokenHash: text().notNull(),
    createdAt: createdAt(),
    expiresAt: time().notNull(),
  },
  (table) => [
    uniqueIndex('admin_sessions_token').on(table.tokenHash),
    index('admin_sessions_credential').on(table.credentialId),
    index('admin_sessions_person').on(table.personId),
    index('admin_sessions_expiry').on(table.expiresAt),
  ],
)
