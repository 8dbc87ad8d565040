import { sql, type SQL } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, unique, uuid, type AnyPgColumn } from 'drizzle-orm/pg-core'
import { wordsOfText } from '#lib/db/words.ts'
import { createdAt, dashboard, id, time } from './base.ts'

export const checkoutPackages = ['three', 'five', 'ten', 'everything', 'free'] as const
export const checkoutStates = ['open', 'paid', 'waiting', 'ready', 'abandoned', 'duplicate', 'refused'] as const

interface Named {
  email: AnyPgColumn
  organizationName: AnyPgColumn
}

export const checkoutWordsOf = ({ email, organizationName }: Named): SQL => wordsOfText(email, organizationName)

/** What strangers buy on the website. Its organization is made when it is paid. */
export const checkouts = dashboard.table(
  'checkouts',
  {
    id: id(),
    package: text({ enum: checkoutPackages }).notNull(),
    seats: integer().notNull(),
    email: text().notNull(),
    organizationName: text().notNull(),
    /** Of the browser that pays. */
    secretHash: text().notNull(),
    state: text({ enum: checkoutStates }).notNull().default('open'),
    subscriptionId: uuid(),
    checkoutUrl: text(),
    expiresAt: time(),
    /** The code of the problem of a refused one. */
    problem: text(),
    organizationId: uuid(),
    personId: uuid(),
    /** Whether the account was made for it: only then the browser signs in without the mailbox. */
    madeAccount: boolean(),
    apps: integer(),
    paidAt: time(),
    readyAt: time(),
    signedInAt: time(),
    checkedAt: time(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('checkouts_subscription').on(table.subscriptionId),
    index('checkouts_organization').on(table.organizationId),
    index('checkouts_person').on(table.personId),
    index('checkouts_email').on(table.email, table.createdAt),
    index('checkouts_unsettled')
      .on(table.checkedAt, table.id)
      .where(sql`state IN ('open', 'paid', 'waiting')`),
    index('checkouts_expiry').on(table.createdAt),
    index('checkouts_words').using('gin', checkoutWordsOf(table)),
    index('checkouts_state').on(table.state, table.id),
    check('checkouts_package', sql`${table.package} IN ('three', 'five', 'ten', 'everything', 'free')`),
    check('checkouts_seats', sql`${table.seats} > 0`),
    check(
      'checkouts_state',
      sql`${table.state} IN ('open', 'paid', 'waiting', 'ready', 'abandoned', 'duplicate', 'refused')`,
    ),
    check('checkouts_ready', sql`(${table.state} = 'ready') = (${table.readyAt} IS NOT NULL)`),
  ],
)

/** Platform subscriptions as last forwarded by payments, by their owners. */
export const platformSubscriptions = dashboard.table(
  'platform_subscriptions',
  {
    /** The subscription’s own. */
    id: uuid().primaryKey(),
    ownerType: text().notNull(),
    holderId: uuid('owner_id').notNull(),
    package: text().notNull(),
    seats: integer().notNull(),
    status: text().notNull(),
    access: text().notNull(),
    /** All of it, as received. */
    state: jsonb().$type<Record<string, unknown>>().notNull(),
    sequence: integer().notNull(),
    /** The sequence whose entitlement is in force. */
    appliedSequence: integer().notNull().default(0),
    /** Apps that were suspended, to be installed again after a payment. */
    suspendedApps: uuid()
      .array()
      .notNull()
      .default(sql`'{}'`),
    receivedAt: time().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('platform_subscriptions_owner').on(table.ownerType, table.holderId, table.id),
    index('platform_subscriptions_unapplied')
      .on(table.receivedAt)
      .where(sql`applied_sequence < sequence`),
    check('platform_subscriptions_sequence', sql`${table.appliedSequence} <= ${table.sequence}`),
  ],
)

/** Free workspaces whose yearly verification was paid, apart from paid packages. */
export const freeWorkspaces = dashboard.table(
  'free_workspaces',
  {
    /** The subscription’s own. */
    id: uuid().primaryKey(),
    ownerType: text().notNull(),
    holderId: uuid('owner_id').notNull(),
    status: text().notNull(),
    access: text().notNull(),
    state: jsonb().$type<Record<string, unknown>>().notNull(),
    sequence: integer().notNull(),
    appliedSequence: integer().notNull().default(0),
    verifiedUntil: time(),
    receivedAt: time().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('free_workspaces_owner').on(table.ownerType, table.holderId, table.id),
    index('free_workspaces_unapplied')
      .on(table.receivedAt)
      .where(sql`applied_sequence < sequence`),
    check('free_workspaces_sequence', sql`${table.appliedSequence} <= ${table.sequence}`),
  ],
)

/** Received changes, so that each counts once. */
export const subscriptionEvents = dashboard.table(
  'subscription_events',
  {
    id: uuid().primaryKey(),
    subscriptionId: uuid().notNull(),
    ownerType: text().notNull(),
    holderId: uuid('owner_id').notNull(),
    type: text().notNull(),
    sequence: integer().notNull(),
    /** Whether it was the newest. */
    applied: boolean().notNull(),
    receivedAt: time().notNull(),
  },
  (table) => [
    index('subscription_events_owner').on(table.holderId, table.receivedAt),
    index('subscription_events_expiry').on(table.receivedAt),
  ],
)
