import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant, platform } from './base.ts'

export interface ActionButton {
  label: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  href: string
}

export const raisedActions = platform.table(
  'raised_actions',
  {
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    cause: text().notNull(),
    title: text().notNull(),
    reason: text().notNull(),
    href: text().notNull(),
    actions: jsonb().$type<ActionButton[]>().notNull(),
    raisedAt: instant().notNull(),
    resolvedAt: instant(),
    /** Counts changes: the dashboard ignores versions that aren't newer than its own. */
    version: integer().notNull().default(1),
    enqueuedVersion: integer().notNull().default(0),
    takenVersion: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('raised_actions_open')
      .on(table.cause, table.organizationId)
      .where(sql`resolved_at IS NULL`),
    index('raised_actions_organization').on(table.organizationId),
    index('raised_actions_waiting')
      .on(table.raisedAt)
      .where(sql`enqueued_version < version`),
    index('raised_actions_untaken')
      .on(table.id)
      .where(sql`taken_version < version`),
    index('raised_actions_resolved')
      .on(table.resolvedAt)
      .where(sql`resolved_at IS NOT NULL`),
    check(
      'raised_actions_versions',
      sql`${table.version} >= greatest(${table.enqueuedVersion}, ${table.takenVersion})`,
    ),
  ],
)
