import { sql } from 'drizzle-orm'
import { bigint, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { newId } from '#lib/ids.ts'

export const payments = pgSchema('payments')

export const id = () => uuid().primaryKey().$defaultFn(newId)
export const time = () => timestamp({ withTimezone: true, precision: 3 })
export const createdAt = () =>
  time()
    .notNull()
    .default(sql`now()`)

/** Of the currency’s smallest unit. */
export const amount = () => bigint({ mode: 'bigint' })
/** ISO 4217. */
export const currency = () => text().notNull()

/**
 * At which account of the provider something was made, as the gateway names it: with it, nothing is read or changed at
 * another one. Null for what was made before accounts were stored, and not used since.
 */
export const accountKey = () => text()
