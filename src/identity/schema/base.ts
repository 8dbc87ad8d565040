import { pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

/** Identity's tables stand in a schema of their own. */
export const identitySchema = pgSchema('identity')

/** A moment, to the millisecond. */
export const instant = () => timestamp({ precision: 3, withTimezone: true, mode: 'date' })

/** A member's role (IDN-10). */
export const role = () => text({ enum: ['viewer', 'reviewer', 'editor', 'admin', 'owner'] }).notNull()
