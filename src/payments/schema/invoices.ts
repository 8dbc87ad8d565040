import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Address } from '../contract/address.ts'
import type { InvoiceKind, InvoiceStatus } from '../contract/invoices.ts'
import type { TaxMode, TaxRounding } from '../contract/orders.ts'
import { amount, createdAt, currency, id, payments, time } from './base.ts'
import { customers } from './customers.ts'
import { lineChecks, lineColumns } from './lines.ts'
import { merchants } from './merchants.ts'
import { orders } from './orders.ts'
import { refunds } from './payments.ts'
import { invoiceWordsOf } from './words.ts'

/** Who issued it, as it was then. */
export interface Seller {
  name: string
  address: Address | null
  taxNumber: string | null
}

/** The last number of a merchant’s series of a year. Its row is locked last when an invoice is issued. */
export const invoiceNumbers = payments.table(
  'invoice_numbers',
  {
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    series: text().$type<InvoiceKind>().notNull(),
    year: integer().notNull(),
    organizationId: uuid().notNull(),
    last: integer().notNull(),
    /** The day of issue of the last number: later ones aren’t before it. */
    lastOn: date().notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.series, table.year] })],
)

/**
 * Invoices and credit notes (PAY-30, PAY-35). Once issued, triggers refuse every change but of their state, and numbers
 * that don’t follow the one before.
 */
export const invoices = payments.table(
  'invoices',
  {
    id: id(),
    organizationId: uuid().notNull(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    kind: text().$type<InvoiceKind>().notNull(),
    status: text().$type<InvoiceStatus>().notNull().default('draft'),
    year: integer(),
    sequence: integer(),
    number: text(),
    orderId: uuid().references(() => orders.id),
    /** The order was created to pay this invoice. */
    ownsOrder: boolean().notNull().default(false),
    /** That a credit note corrects. */
    invoiceId: uuid(),
    refundId: uuid().references(() => refunds.id),
    customerId: uuid(),
    currency: currency(),
    taxMode: text().$type<TaxMode>().notNull(),
    taxRounding: text().$type<TaxRounding>().notNull(),
    reverseCharge: boolean().notNull().default(false),
    /** As it was sent; null decides by the tax numbers, again when it is issued. */
    reverseChargeWanted: boolean(),
    /** Of the lines, before discounts. */
    subtotal: amount().notNull(),
    discount: amount().notNull(),
    tax: amount().notNull(),
    total: amount().notNull(),
    /** By its credit notes. */
    credited: amount()
      .notNull()
      .default(sql`0`),
    language: text().notNull(),
    seller: jsonb().$type<Seller>(),
    buyerName: text(),
    buyerEmail: text(),
    buyerTaxNumber: text(),
    buyerAddress: jsonb().$type<Address>(),
    reference: text(),
    note: text(),
    /** Of a credit note. */
    reason: text(),
    paymentDays: integer().notNull(),
    serviceFrom: date(),
    serviceTo: date(),
    issuedOn: date(),
    dueOn: date(),
    issuedAt: time(),
    issuedBy: uuid(),
    paidAt: time(),
    /** Such as by bank transfer. */
    paidOutside: boolean().notNull().default(false),
    voidedAt: time(),
    voidReason: text(),
    sentAt: time(),
    sentTo: text(),
    /** Of the public address of its PDF. */
    token: text().notNull(),
    createdBy: uuid(),
    createdAt: createdAt(),
    version: integer().notNull().default(1),
  },
  (table) => [
    unique('invoices_sequence').on(table.merchantId, table.kind, table.year, table.sequence),
    unique('invoices_number').on(table.organizationId, table.number),
    uniqueIndex('invoices_one_per_order')
      .on(table.orderId)
      .where(sql`kind = 'invoice' AND status <> 'void'`),
    uniqueIndex('invoices_one_per_refund')
      .on(table.invoiceId, table.refundId)
      .where(sql`refund_id IS NOT NULL`),
    index('invoices_by_order')
      .on(table.orderId)
      .where(sql`order_id IS NOT NULL`),
    unique('invoices_token').on(table.token),
    index('invoices_newest').on(table.organizationId, table.id),
    index('invoices_by_status').on(table.organizationId, table.kind, table.status, table.id),
    index('invoices_by_merchant').on(table.merchantId, table.id),
    index('invoices_by_currency').on(table.organizationId, table.currency, table.id),
    index('invoices_by_email').on(table.organizationId, table.buyerEmail, table.id),
    // Words of which a search gives the beginnings.
    index('invoices_words').using('gin', invoiceWordsOf(table)),
    index('invoices_by_due')
      .on(table.organizationId, table.dueOn, table.id)
      .where(sql`status = 'open'`),
    index('invoices_by_issue')
      .on(table.organizationId, table.issuedOn, table.id)
      .where(sql`status <> 'draft'`),
    index('invoices_by_original')
      .on(table.invoiceId)
      .where(sql`invoice_id IS NOT NULL`),
    index('invoices_by_customer')
      .on(table.customerId, table.id)
      .where(sql`customer_id IS NOT NULL`),
    foreignKey({
      name: 'invoices_customer',
      columns: [table.organizationId, table.customerId],
      foreignColumns: [customers.organizationId, customers.id],
    }),
    foreignKey({ name: 'invoices_original', columns: [table.invoiceId], foreignColumns: [table.id] }).onDelete(
      'cascade',
    ),
    check('invoices_kind', sql`${table.kind} IN ('invoice', 'credit_note')`),
    check(
      'invoices_status',
      sql`(${table.kind} = 'invoice' AND ${table.status} IN ('draft', 'open', 'paid', 'void')) OR (${table.kind} = 'credit_note' AND ${table.status} IN ('draft', 'issued'))`,
    ),
    check('invoices_credit_note', sql`(${table.kind} = 'credit_note') = (${table.invoiceId} IS NOT NULL)`),
    check(
      'invoices_issued',
      sql`(${table.status} = 'draft') = (${table.number} IS NULL) AND num_nulls(${table.year}, ${table.sequence}, ${table.number}, ${table.issuedOn}, ${table.issuedAt}, ${table.seller}) IN (0, 6)`,
    ),
    check('invoices_amounts', sql`${table.total} > 0 AND ${table.discount} >= 0 AND ${table.tax} >= 0`),
    check('invoices_credited', sql`${table.credited} BETWEEN 0 AND ${table.total}`),
    check('invoices_reverse_charge', sql`NOT ${table.reverseCharge} OR ${table.tax} = 0`),
    check('invoices_sequence_positive', sql`${table.sequence} > 0`),
  ],
)

export const invoiceLines = payments.table(
  'invoice_lines',
  {
    invoiceId: uuid()
      .notNull()
      .references(() => invoices.id, { onDelete: 'cascade' }),
    ...lineColumns(),
  },
  (table) => [primaryKey({ columns: [table.invoiceId, table.position] }), ...lineChecks('invoice_lines', table)],
)
