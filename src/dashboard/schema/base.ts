import { sql } from 'drizzle-orm'
import { pgSchema, timestamp, uuid } from 'drizzle-orm/pg-core'
import { newId } from '#lib/ids.ts'

export const dashboard = pgSchema('dashboard')

export const id = () => uuid().primaryKey().$defaultFn(newId)
export const time = () => timestamp({ withTimezone: true, precision: 3 })
export const createdAt = () =>
  time()
    .notNull()
    .default(sql`now()`)
