import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, jsonb, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { OrderStatus, TaxMode, TaxRounding } from '../contract/orders.ts'
import { amount, createdAt, currency, id, payments, time } from './base.ts'
import { customers } from './customers.ts'
import { lineChecks, lineColumns } from './lines.ts'
import { merchants, venues } from './merchants.ts'
import { orderWordsOf } from './words.ts'

/** The last number that an organization’s orders of a year have. */
export const orderNumbers = payments.table(
  'order_numbers',
  { organizationId: uuid().notNull(), year: integer().notNull(), last: integer().notNull() },
  (table) => [primaryKey({ columns: [table.organizationId, table.year] })],
)

/** What is sold, and what has become of its money (PAY-10). */
export const orders = payments.table(
  'orders',
  {
    id: id(),
    organizationId: uuid().notNull(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    venueId: uuid().references(() => venues.id),
    customerId: uuid(),
    number: text().notNull(),
    status: text().$type<OrderStatus>().notNull().default('pending'),
    currency: currency(),
    taxMode: text().$type<TaxMode>().notNull(),
    taxRounding: text().$type<TaxRounding>().notNull(),
    /** Of the lines, before discounts. */
    subtotal: amount().notNull(),
    discount: amount().notNull(),
    tax: amount().notNull(),
    total: amount().notNull(),
    authorized: amount()
      .notNull()
      .default(sql`0`),
    captured: amount()
      .notNull()
      .default(sql`0`),
    refunded: amount()
      .notNull()
      .default(sql`0`),
    /** By refunds that haven’t failed, so that no more can be asked for. */
    refundsReserved: amount()
      .notNull()
      .default(sql`0`),
    /** As they were when the order was created. */
    customerEmail: text(),
    customerName: text(),
    metadata: jsonb().$type<Record<string, string>>().notNull().default({}),
    expiresAt: time(),
    createdBy: uuid(),
    createdAt: createdAt(),
    paidAt: time(),
    closedAt: time(),
    version: integer().notNull().default(1),
  },
  (table) => [
    unique('orders_number').on(table.organizationId, table.number),
    index('orders_newest').on(table.organizationId, table.id),
    index('orders_by_status').on(table.organizationId, table.status, table.id),
    index('orders_by_merchant').on(table.merchantId, table.id),
    index('orders_by_email').on(table.organizationId, sql`lower(${table.customerEmail})`, table.id),
    index('orders_paid')
      .on(table.organizationId, table.paidAt)
      .where(sql`paid_at IS NOT NULL`),
    // Words of which a search gives the beginnings.
    index('orders_words').using('gin', orderWordsOf(table)),
    index('orders_by_customer').on(table.customerId, table.id),
    index('orders_needing_action')
      .on(table.customerId)
      .where(sql`status IN ('requires_action', 'failed', 'disputed') AND customer_id IS NOT NULL`),
    foreignKey({
      name: 'orders_customer',
      columns: [table.organizationId, table.customerId],
      foreignColumns: [customers.organizationId, customers.id],
    }),
    index('orders_expiring')
      .on(table.expiresAt)
      .where(sql`status IN ('pending', 'requires_action', 'failed') AND expires_at IS NOT NULL`),
    check(
      'orders_status',
      sql`${table.status} IN ('pending', 'requires_action', 'paid', 'partially_refunded', 'refunded', 'cancelled', 'expired', 'failed', 'disputed', 'lost')`,
    ),
    check('orders_amounts', sql`${table.total} > 0 AND ${table.discount} >= 0 AND ${table.tax} >= 0`),
    check('orders_captured', sql`${table.captured} BETWEEN 0 AND ${table.total}`),
    check(
      'orders_refunded',
      sql`0 <= ${table.refunded} AND ${table.refunded} <= ${table.refundsReserved} AND ${table.refundsReserved} <= ${table.captured}`,
    ),
  ],
)

export const orderLines = payments.table(
  'order_lines',
  {
    orderId: uuid()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    ...lineColumns(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.position] }), ...lineChecks('order_lines', table)],
)

/** What happened to an order: its timeline. */
export const orderEvents = payments.table(
  'order_events',
  {
    id: id(),
    orderId: uuid().notNull(),
    organizationId: uuid().notNull(),
    kind: text().notNull(),
    /** Amounts, references and reasons of the event. */
    facts: jsonb().$type<Record<string, string | number | null>>().notNull().default({}),
    by: uuid(),
    at: createdAt(),
  },
  (table) => [
    index('order_events_by_order').on(table.orderId, table.id),
    foreignKey({ name: 'order_events_order', columns: [table.orderId], foreignColumns: [orders.id] }).onDelete(
      'cascade',
    ),
  ],
)
