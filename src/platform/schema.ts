import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { platform } from '#lib/schema.ts'

const instant = () => timestamp({ precision: 3, withTimezone: true, mode: 'date' })

/** PLT-39. The file is in the storage as `exports/<id>.zip`. */
export const exports = platform.table(
  'exports',
  {
    id: uuid().primaryKey(),
    /** Null for an export of the person's own data. */
    organizationId: uuid(),
    /** The only person who can download it. */
    requestedBy: uuid().notNull(),
    /** Their address at the time of the request. */
    recipient: text().notNull(),
    state: text({ enum: ['running', 'ready', 'failed'] }).notNull(),
    /** Servers of the previous release count attempts here. */
    attempts: integer().notNull().default(0),
    requestedAt: instant().notNull(),
    settledAt: instant(),
    /** When it is deleted, in any state. */
    expiresAt: instant().notNull(),
    bytes: bigint({ mode: 'number' }),
  },
  (table) => [
    uniqueIndex('exports_running_organization')
      .on(table.organizationId)
      .where(sql`state = 'running' AND organization_id IS NOT NULL`),
    uniqueIndex('exports_running_person')
      .on(table.requestedBy)
      .where(sql`state = 'running' AND organization_id IS NULL`),
    index('exports_requested_by').on(table.requestedBy, table.id),
    index('exports_expires_at').on(table.expiresAt),
    check('exports_state', sql`${table.state} IN ('running', 'ready', 'failed')`),
    check('exports_settled', sql`(${table.settledAt} IS NULL) = (${table.state} = 'running')`),
    check('exports_bytes', sql`(${table.bytes} IS NULL) = (${table.state} <> 'ready')`),
  ],
)
