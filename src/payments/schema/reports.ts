import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { AccountCode, RateCodes } from '../contract/accounting.ts'
import { createdAt, payments, time } from './base.ts'
import { merchants } from './merchants.ts'

/** Closed months of merchants: nothing can be booked to them any more (PAY-35). Rows are only added. */
export const closedPeriods = payments.table(
  'closed_periods',
  {
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    /** Such as `2026-10`. */
    month: text().notNull(),
    organizationId: uuid().notNull(),
    closedAt: createdAt(),
    closedBy: uuid().notNull(),
    /** The end of the merchant’s chain then. */
    sequence: bigint({ mode: 'bigint' }).notNull(),
    hash: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.month] }),
    index('closed_periods_by_organization').on(table.organizationId),
    check('closed_periods_month', sql`${table.month} ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'`),
  ],
)

/** The accounts of accounting exports that an organization changed. */
export const accountCharts = payments.table('account_charts', {
  organizationId: uuid().primaryKey(),
  accounts: jsonb().$type<readonly AccountCode[]>().notNull().default([]),
  rates: jsonb().$type<readonly RateCodes[]>().notNull().default([]),
  version: integer().notNull().default(1),
  updatedBy: uuid(),
  updatedAt: time(),
})
