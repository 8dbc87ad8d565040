import { bigint, index, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, platform } from './base.ts'

/** Requests taken in each subject's current window (PLT-14), one row per subject and class. */
export const rateLimits = platform.table(
  'rate_limits',
  {
    subject: text().notNull(),
    class: text().notNull(),
    taken: bigint({ mode: 'number' }).notNull(),
    resetsAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.subject, table.class] }), index('rate_limits_resets_at').on(table.resetsAt)],
)
