import { sql } from 'drizzle-orm'
import { check, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { instant, platform } from './base.ts'

/**
 * `kept`: stored instead of sent, in development and tests. `handed`: the gateway sends it, and its outcome isn't known
 * yet.
 */
export const mails = platform.table(
  'mails',
  {
    id: uuid().primaryKey(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Text and HTML, sealed since they contain links that sign people in; null when no longer needed. */
    sealedContent: text(),
    state: text({ enum: ['waiting', 'handed', 'sent', 'refused', 'kept'] }).notNull(),
    /** Which side sends it: decided once, and `direct` without an answer of the gateway. */
    route: text({ enum: ['gateway', 'direct'] }),
    attempts: integer().notNull().default(0),
    problem: text(),
    createdAt: instant().notNull(),
    settledAt: instant(),
  },
  (table) => [
    index('mails_created_at').on(table.createdAt),
    check('mails_state', sql`${table.state} IN ('waiting', 'handed', 'sent', 'refused', 'kept')`),
    check('mails_settled', sql`(${table.settledAt} IS NULL) = (${table.state} = 'waiting')`),
    check('mails_content', sql`${table.state} <> 'waiting' OR ${table.sealedContent} IS NOT NULL`),
  ],
)
