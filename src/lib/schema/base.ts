import { pgSchema, timestamp } from 'drizzle-orm/pg-core'

export const platform = pgSchema('platform')

export const instant = () => timestamp({ precision: 3, withTimezone: true, mode: 'date' })
