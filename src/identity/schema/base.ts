import { pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

export const identitySchema = pgSchema('identity')

/** Millisecond precision. */
export const instant = () => timestamp({ precision: 3, withTimezone: true, mode: 'date' })

/** A member's role (IDN-10). */
export const role = () => text({ enum: ['viewer', 'reviewer', 'editor', 'admin', 'owner'] }).notNull()
