import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Address } from '../contract/address.ts'
import { createdAt, id, payments, time } from './base.ts'

/** Who sells. Each organization has one from its first order on. */
export const merchants = payments.table(
  'merchants',
  {
    id: id(),
    organizationId: uuid().notNull(),
    name: text().notNull(),
    /** On invoices and statements; the name when not set. */
    legalName: text(),
    address: jsonb().$type<Address>(),
    taxNumber: text(),
    /** What the numbers of its invoices begin with. */
    invoicePrefix: text().notNull(),
    /** IANA: of its days in reports. */
    timezone: text().notNull().default('UTC'),
    defaultCurrency: text().notNull().default('EUR'),
    isDefault: boolean().notNull().default(false),
    archivedAt: time(),
    createdAt: createdAt(),
    version: integer().notNull().default(1),
  },
  (table) => [
    unique('merchants_name').on(table.organizationId, table.name),
    unique('merchants_prefix').on(table.organizationId, table.invoicePrefix),
    // What ends in -CN would be the series of credit notes of another prefix.
    check(
      'merchants_prefix_form',
      sql`${table.invoicePrefix} ~ '^[A-Z0-9][A-Z0-9-]{0,11}$' AND ${table.invoicePrefix} !~ '-CN$'`,
    ),
    check('merchants_default_active', sql`NOT (${table.isDefault} AND ${table.archivedAt} IS NOT NULL)`),
    uniqueIndex('merchants_default')
      .on(table.organizationId)
      .where(sql`is_default`),
  ],
)

/** Where a merchant sells: a shop, a till, a website. */
export const venues = payments.table(
  'venues',
  {
    id: id(),
    organizationId: uuid().notNull(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    address: jsonb().$type<Address>(),
    /** IANA; the merchant’s when not set. */
    timezone: text(),
    archivedAt: time(),
    createdAt: createdAt(),
    version: integer().notNull().default(1),
  },
  (table) => [
    unique('venues_name').on(table.merchantId, table.name),
    index('venues_by_organization').on(table.organizationId, table.name),
  ],
)

/** By currency, in its smallest unit. */
export type Ceilings = Record<string, number>

/** Until another person confirms it, the ceiling of before still applies to what `by` requests. */
export interface RaisedCeiling {
  of: 'refunds' | 'batches'
  currency: string
  before: number
  by: string
}

export const settings = payments.table('settings', {
  organizationId: uuid().primaryKey(),
  /** Refunds above need a second person. */
  refundCeilings: jsonb().$type<Ceilings>().notNull().default({}),
  /** Settlement batches above need a second person. */
  batchCeilings: jsonb().$type<Ceilings>().notNull().default({}),
  /** Ceilings that were raised and not confirmed. */
  raised: jsonb().$type<RaisedCeiling[]>().notNull().default([]),
  version: integer().notNull().default(1),
  updatedBy: uuid(),
  updatedAt: time()
    .notNull()
    .default(sql`now()`),
})
