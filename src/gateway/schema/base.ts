import { sql } from 'drizzle-orm'
import { bigint, pgSchema, timestamp, uuid } from 'drizzle-orm/pg-core'
import { newId } from '#lib/ids.ts'

export const gateway = pgSchema('gateway')

export const id = () => uuid().primaryKey().$defaultFn(newId)
export const time = () => timestamp({ withTimezone: true, precision: 3 })
export const createdAt = () =>
  time()
    .notNull()
    .default(sql`now()`)

/** Money is an integer of nano-USD everywhere: a float would round. */
export const nanoUsd = () => bigint({ mode: 'bigint' })
