import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, jsonb, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { CaptureMethod, DisputeStatus, PaymentMode, PaymentStatus } from '../contract/payments.ts'
import type { RefundReason, RefundStatus } from '../contract/refunds.ts'
import { accountKey, amount, createdAt, currency, id, payments, time } from './base.ts'
import { orders } from './orders.ts'

/** One try to have an order paid: a checkout session, a payment intent or a payment link. */
export const orderPayments = payments.table(
  'payments',
  {
    id: id(),
    organizationId: uuid().notNull(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    /** The payment that paid the order before this one did: this one goes back in full. */
    duplicateOf: uuid(),
    mode: text().$type<PaymentMode>().notNull(),
    captureMethod: text().$type<CaptureMethod>().notNull(),
    status: text().$type<PaymentStatus>().notNull(),
    amount: amount().notNull(),
    currency: currency(),
    authorized: amount()
      .notNull()
      .default(sql`0`),
    captured: amount()
      .notNull()
      .default(sql`0`),
    accountKey: accountKey(),
    /** Since when no key of its account is stored. */
    accountLostAt: time(),
    checkoutSessionId: text(),
    paymentLinkId: text(),
    paymentIntentId: text(),
    chargeId: text(),
    /** Where the customer pays. */
    url: text(),
    successUrl: text(),
    cancelUrl: text(),
    /** Of the public page of its receipt. */
    receiptToken: text().notNull(),
    /** Of a saved payment method that is charged without its customer. */
    providerCustomerId: text(),
    providerPaymentMethodId: text(),
    /** Such as `visa` and `4242`. */
    cardBrand: text(),
    cardLastFour: text(),
    failureCode: text(),
    failureMessage: text(),
    expiresAt: time(),
    createdBy: uuid(),
    createdAt: createdAt(),
    /** When its state at the provider was read last, and will be read next. */
    checkedAt: time(),
    nextCheckAt: time(),
    checks: integer().notNull().default(0),
    version: integer().notNull().default(1),
  },
  (table) => [
    index('payments_by_order').on(table.orderId, table.id),
    index('payments_newest').on(table.organizationId, table.id),
    // A server of an organization can return any ID, also one that another organization has.
    unique('payments_session').on(table.checkoutSessionId, table.organizationId, table.accountKey),
    unique('payments_intent').on(table.paymentIntentId, table.organizationId, table.accountKey),
    unique('payments_link').on(table.paymentLinkId, table.organizationId, table.accountKey),
    index('payments_account_lost')
      .on(table.organizationId, table.accountKey)
      .where(sql`account_lost_at IS NOT NULL`),
    unique('payments_receipt').on(table.receiptToken),
    index('payments_by_charge').on(table.chargeId),
    index('payments_due')
      .on(table.nextCheckAt)
      .where(sql`next_check_at IS NOT NULL`),
    // Two open ones could both be paid.
    uniqueIndex('payments_one_open')
      .on(table.orderId)
      .where(sql`status IN ('unknown', 'requires_action', 'processing', 'authorized') AND duplicate_of IS NULL`),
    uniqueIndex('payments_one_paid')
      .on(table.orderId)
      .where(sql`status = 'succeeded' AND duplicate_of IS NULL`),
    foreignKey({ name: 'payments_duplicate_of', columns: [table.duplicateOf], foreignColumns: [table.id] }).onDelete(
      'cascade',
    ),
    index('payments_duplicates')
      .on(table.duplicateOf)
      .where(sql`duplicate_of IS NOT NULL`),
    check('payments_not_own_duplicate', sql`${table.duplicateOf} <> ${table.id}`),
    check(
      'payments_status',
      sql`${table.status} IN ('unknown', 'requires_action', 'processing', 'authorized', 'succeeded', 'cancelled', 'expired', 'failed')`,
    ),
    check('payments_captured', sql`0 <= ${table.captured} AND ${table.captured} <= ${table.amount}`),
  ],
)

/** Money that goes back to a customer (PAY-11). */
export const refunds = payments.table(
  'refunds',
  {
    id: id(),
    organizationId: uuid().notNull(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    paymentId: uuid()
      .notNull()
      .references(() => orderPayments.id, { onDelete: 'cascade' }),
    status: text().$type<RefundStatus>().notNull(),
    amount: amount().notNull(),
    currency: currency(),
    reason: text().$type<RefundReason>().notNull(),
    note: text(),
    /** What of the order is refunded; empty when only an amount was given. */
    lines: jsonb().$type<readonly { position: number; quantity: number; amount: number }[]>().notNull().default([]),
    providerRefundId: text(),
    failureReason: text(),
    requestedBy: uuid(),
    /** The person behind the API key that requested it, else the requester. */
    responsibleId: uuid(),
    decidedBy: uuid(),
    decidedAt: time(),
    /** The owner confirmed it alone with a second factor, since no one else holds the permission. */
    confirmedAlone: time(),
    createdAt: createdAt(),
    sentAt: time(),
    /** While it is being sent again. */
    repeatedAt: time(),
    settledAt: time(),
    checkedAt: time(),
    nextCheckAt: time(),
    checks: integer().notNull().default(0),
    version: integer().notNull().default(1),
  },
  (table) => [
    index('refunds_newest').on(table.organizationId, table.id),
    index('refunds_by_status').on(table.organizationId, table.status, table.id),
    index('refunds_by_order').on(table.orderId, table.id),
    index('refunds_by_payment').on(table.paymentId),
    unique('refunds_provider').on(table.providerRefundId, table.paymentId),
    index('refunds_due')
      .on(table.nextCheckAt)
      .where(sql`next_check_at IS NOT NULL`),
    check('refunds_amount', sql`${table.amount} > 0`),
    check(
      'refunds_status',
      sql`${table.status} IN ('needs_approval', 'pending', 'unknown', 'succeeded', 'failed', 'cancelled')`,
    ),
  ],
)

export const disputes = payments.table(
  'disputes',
  {
    id: id(),
    organizationId: uuid().notNull(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    paymentId: uuid()
      .notNull()
      .references(() => orderPayments.id, { onDelete: 'cascade' }),
    providerDisputeId: text().notNull(),
    status: text().$type<DisputeStatus>().notNull(),
    reason: text().notNull(),
    amount: amount().notNull(),
    currency: currency(),
    evidenceDueAt: time(),
    openedAt: time().notNull(),
    closedAt: time(),
    version: integer().notNull().default(1),
  },
  (table) => [
    unique('disputes_provider').on(table.providerDisputeId, table.paymentId),
    index('disputes_by_order').on(table.orderId),
    index('disputes_open')
      .on(table.organizationId, table.evidenceDueAt)
      .where(sql`closed_at IS NULL`),
    check('disputes_status', sql`${table.status} IN ('open', 'won', 'lost', 'closed')`),
  ],
)
