import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, payments, time } from './base.ts'

/** Who sells. Each organization has one from its first order on. */
export const merchants = payments.table(
  'merchants',
  {
    id: id(),
    organizationId: uuid().notNull(),
    name: text().notNull(),
    isDefault: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [
    unique('merchants_name').on(table.organizationId, table.name),
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
    createdAt: createdAt(),
  },
  (table) => [
    unique('venues_name').on(table.merchantId, table.name),
    index('venues_by_organization').on(table.organizationId, table.name),
  ],
)

/** By currency, in its smallest unit. */
export type Ceilings = Record<string, number>

export const settings = payments.table('settings', {
  organizationId: uuid().primaryKey(),
  /** Refunds above need a second person. */
  refundCeilings: jsonb().$type<Ceilings>().notNull().default({}),
  /** Settlement batches above need a second person. */
  batchCeilings: jsonb().$type<Ceilings>().notNull().default({}),
  version: integer().notNull().default(1),
  updatedBy: uuid(),
  updatedAt: time()
    .notNull()
    .default(sql`now()`),
})
