import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dashboard, id, time } from './base.ts'

export interface StoredWidget {
  /** The slug of the app. */
  app: string
  columns: 3 | 4 | 5 | 6 | 12
  hidden: boolean
}

/** How a person arranged the widgets of an organization; without a row in the usual order. */
export const layouts = dashboard.table(
  'layouts',
  {
    id: id(),
    organizationId: uuid().notNull(),
    personId: uuid().notNull(),
    widgets: jsonb().$type<StoredWidget[]>().notNull(),
    /** Counts the changes. */
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: time().notNull(),
  },
  (table) => [
    uniqueIndex('layouts_owner').on(table.personId, table.organizationId),
    index('layouts_organization').on(table.organizationId),
    check('layouts_version', sql`${table.version} > 0`),
    check(
      'layouts_widgets',
      sql`jsonb_typeof(${table.widgets}) = 'array' AND jsonb_array_length(${table.widgets}) <= 100`,
    ),
  ],
)
