import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type {
  ForwardState,
  OwnerType,
  Package,
  SubscriptionAccess,
  SubscriptionEventType,
  SubscriptionStatus,
} from '../contract/subscriptions.ts'
import { amount, createdAt, currency, id, payments, time } from './base.ts'

const isPackage = sql`package IN ('three', 'five', 'ten', 'everything', 'free')`

/** What a seat of a package costs, from a time on. Rows never change: subscribers keep theirs. */
export const packagePrices = payments.table(
  'package_prices',
  {
    id: id(),
    package: text().$type<Package>().notNull(),
    currency: currency(),
    unitAmount: amount().notNull(),
    interval: text({ enum: ['month', 'year'] })
      .notNull()
      .default('month'),
    activeFrom: time().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('package_prices_active_from').on(table.package, table.currency, table.activeFrom),
    check('package_prices_package', isPackage),
    check('package_prices_amount', sql`${table.unitAmount} > 0`),
    check(
      'package_prices_interval',
      sql`${table.interval} = CASE ${table.package} WHEN 'free' THEN 'year' ELSE 'month' END`,
    ),
  ],
)

/** A price at an account of the provider. */
export const providerPrices = payments.table(
  'provider_prices',
  {
    priceId: uuid()
      .notNull()
      .references(() => packagePrices.id),
    accountKey: text().notNull(),
    providerPriceId: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.priceId, table.accountKey] })],
)

/** Of a customer of the platform: what it pays for a package with seats, at the platform’s account of the provider. */
export const subscriptions = payments.table(
  'subscriptions',
  {
    /** Also the idempotency key of its creation at the provider. */
    id: id(),
    ownerType: text().$type<OwnerType>().notNull(),
    /** The owner’s ID, also of a checkout whose organization doesn’t exist yet. */
    organizationId: uuid().notNull(),
    package: text().$type<Package>().notNull(),
    seats: integer().notNull(),
    priceId: uuid()
      .notNull()
      .references(() => packagePrices.id),
    accountKey: text().notNull(),
    status: text().$type<SubscriptionStatus>().notNull().default('incomplete'),
    access: text().$type<SubscriptionAccess>().notNull().default('none'),
    /** Of who receives mails about payments. */
    email: text().notNull(),
    name: text().notNull(),
    trialDays: integer(),
    successUrl: text().notNull(),
    cancelUrl: text().notNull(),
    checkoutSessionId: text(),
    checkoutUrl: text(),
    checkoutExpiresAt: time(),
    providerCustomerId: text(),
    /** A saved one that is charged without a page. */
    paymentMethodId: text(),
    providerSubscriptionId: text(),
    trialEndsAt: time(),
    currentPeriodStartsAt: time(),
    currentPeriodEndsAt: time(),
    cancelAtPeriodEnd: boolean().notNull().default(false),
    cancelAt: time(),
    /** When it was paid or its trial began. */
    startedAt: time(),
    endedAt: time(),
    pastDueSince: time(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: time(),
    lastFailure: text(),
    /** Of the last forwarded change. */
    lastSequence: integer().notNull().default(0),
    createdAt: createdAt(),
    /** When its creation was last sent to the provider. */
    sentAt: time(),
    checkedAt: time(),
    checks: integer().notNull().default(0),
    /** When it is read again, or its next step is due. */
    nextCheckAt: time(),
    version: integer().notNull().default(1),
  },
  (table) => [
    uniqueIndex('subscriptions_open')
      .on(table.ownerType, table.organizationId, sql`(package = 'free')`)
      .where(sql`status <> 'canceled'`),
    index('subscriptions_newest').on(table.organizationId, table.id),
    unique('subscriptions_provider').on(table.providerSubscriptionId, table.accountKey),
    unique('subscriptions_session').on(table.checkoutSessionId, table.accountKey),
    index('subscriptions_due')
      .on(table.nextCheckAt, table.id)
      .where(sql`next_check_at IS NOT NULL`),
    check('subscriptions_package', isPackage),
    check('subscriptions_owner', sql`${table.ownerType} IN ('organization', 'checkout')`),
    check('subscriptions_seats', sql`${table.seats} > 0`),
    check(
      'subscriptions_status',
      sql`${table.status} IN ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'canceled', 'paused')`,
    ),
    check('subscriptions_access', sql`${table.access} IN ('none', 'full', 'read_only', 'ended')`),
    check('subscriptions_ended', sql`(${table.endedAt} IS NOT NULL) = (${table.status} = 'canceled')`),
    check('subscriptions_dunning', sql`${table.pastDueSince} IS NULL OR ${table.status} IN ('past_due', 'unpaid')`),
  ],
)

/** Of package or seats. Its ID is the idempotency key at the provider. */
export const subscriptionChanges = payments.table(
  'subscription_changes',
  {
    id: id(),
    organizationId: uuid().notNull(),
    subscriptionId: uuid()
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    package: text().$type<Package>().notNull(),
    seats: integer().notNull(),
    priceId: uuid()
      .notNull()
      .references(() => packagePrices.id),
    prorationDate: time().notNull(),
    amountDue: amount().notNull(),
    /** Of a trial: it charges nothing, even when the trial ends before the provider makes it. */
    isFree: boolean().notNull().default(false),
    /** `sending`: its outcome isn’t known yet. */
    state: text({ enum: ['sending', 'done', 'refused'] })
      .notNull()
      .default('sending'),
    createdAt: createdAt(),
    settledAt: time(),
  },
  (table) => [
    uniqueIndex('subscription_changes_sending')
      .on(table.subscriptionId)
      .where(sql`state = 'sending'`),
    index('subscription_changes_of').on(table.subscriptionId, table.id),
    index('subscription_changes_owner').on(table.organizationId),
    check('subscription_changes_package', isPackage),
    check('subscription_changes_amounts', sql`${table.seats} > 0 AND ${table.amountDue} >= 0`),
    check('subscription_changes_state', sql`${table.state} IN ('sending', 'done', 'refused')`),
    check('subscription_changes_settled', sql`(${table.settledAt} IS NULL) = (${table.state} = 'sending')`),
  ],
)

/** Invoices of the provider, as last read there. */
export const subscriptionInvoices = payments.table(
  'subscription_invoices',
  {
    id: id(),
    organizationId: uuid().notNull(),
    subscriptionId: uuid()
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    providerInvoiceId: text().notNull(),
    number: text(),
    status: text({ enum: ['draft', 'open', 'paid', 'uncollectible', 'void'] }).notNull(),
    reason: text(),
    currency: currency(),
    /** Negative for a credit. */
    total: amount().notNull(),
    amountDue: amount().notNull(),
    amountPaid: amount().notNull(),
    attempts: integer().notNull(),
    periodStartsAt: time().notNull(),
    periodEndsAt: time().notNull(),
    url: text(),
    pdfUrl: text(),
    issuedAt: time().notNull(),
    paidAt: time(),
  },
  (table) => [
    unique('subscription_invoices_provider').on(table.subscriptionId, table.providerInvoiceId),
    index('subscription_invoices_newest').on(table.subscriptionId, table.issuedAt, table.id),
    index('subscription_invoices_owner').on(table.organizationId),
    check('subscription_invoices_status', sql`${table.status} IN ('draft', 'open', 'paid', 'uncollectible', 'void')`),
  ],
)

/** Mails about a subscription: one for each step. */
export const subscriptionNotices = payments.table(
  'subscription_notices',
  {
    subscriptionId: uuid()
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    /** Such as `payment_failed in_123 2`. */
    step: text().notNull(),
    organizationId: uuid().notNull(),
    sentAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subscriptionId, table.step] }),
    index('subscription_notices_owner').on(table.organizationId),
  ],
)

/** Changes for the dashboard, in order. */
export const subscriptionForwards = payments.table(
  'subscription_forwards',
  {
    /** The same for every attempt. */
    id: id(),
    organizationId: uuid().notNull(),
    subscriptionId: uuid()
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    sequence: integer().notNull(),
    type: text().$type<SubscriptionEventType>().notNull(),
    /** The exact JSON. */
    body: text().notNull(),
    state: text().$type<ForwardState>().notNull().default('waiting'),
    /** Since it was replayed. */
    tries: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    lastStatus: integer(),
    problem: text(),
    nextAttemptAt: time(),
    createdAt: createdAt(),
    settledAt: time(),
  },
  (table) => [
    unique('subscription_forwards_sequence').on(table.subscriptionId, table.sequence),
    index('subscription_forwards_waiting')
      .on(table.nextAttemptAt, table.id)
      .where(sql`state = 'waiting'`),
    index('subscription_forwards_newest').on(table.organizationId, table.id),
    check('subscription_forwards_state', sql`${table.state} IN ('waiting', 'delivered', 'superseded', 'failed')`),
    check('subscription_forwards_next', sql`(${table.nextAttemptAt} IS NOT NULL) = (${table.state} = 'waiting')`),
  ],
)
