import { pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

export const identitySchema = pgSchema('identity')

export const instant = () => timestamp({ precision: 3, withTimezone: true, mode: 'date' })

export const role = () => text({ enum: ['viewer', 'reviewer', 'editor', 'admin', 'owner'] }).notNull()
