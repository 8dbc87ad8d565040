import { sql } from 'drizzle-orm'
import { check, integer, jsonb, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dashboard, time } from './base.ts'
import type { StoredWidget } from './layouts.ts'

/** What an organization chose for its dashboard; without a row the usual. */
export const dashboardSettings = dashboard.table(
  'settings',
  {
    organizationId: uuid().primaryKey(),
    /** For members who haven’t arranged theirs; null for the usual order. */
    widgets: jsonb().$type<StoredWidget[]>(),
    /** Counts the changes. */
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: time().notNull(),
  },
  (table) => [
    check('settings_version', sql`${table.version} > 0`),
    check(
      'settings_widgets',
      sql`${table.widgets} IS NULL OR (jsonb_typeof(${table.widgets}) = 'array' AND jsonb_array_length(${table.widgets}) <= 100)`,
    ),
  ],
)
