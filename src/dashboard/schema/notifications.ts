import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { ActionButton } from '#lib/schema.ts'
import { createdAt, dashboard, time } from './base.ts'

/** Actions and notices that services raised. Their `version` counts the changes at the service. */
export const notifications = dashboard.table(
  'notifications',
  {
    /** That of the raised action. */
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    surface: text({ enum: ['action', 'notice'] }).notNull(),
    /** The slug of the service that raised it; null for rows of releases before kinds. */
    service: text(),
    kind: text(),
    /** What a member needs to see it; null for every member. */
    permission: text(),
    resourceKind: text(),
    resourceId: uuid(),
    /** The only person who sees it. */
    personId: uuid(),
    cause: text().notNull(),
    title: text().notNull(),
    reason: text().notNull(),
    href: text().notNull(),
    actions: jsonb().$type<ActionButton[]>().notNull(),
    dueAt: time(),
    raisedAt: time().notNull(),
    version: integer().notNull(),
    resolvedAt: time(),
    /** Null when the service resolved it. */
    resolvedBy: uuid(),
    assigneeId: uuid(),
    createdAt: createdAt(),
  },
  (table) => [
    index('notifications_open')
      .on(table.organizationId, table.id)
      .where(sql`resolved_at IS NULL`),
    index('notifications_resolved')
      .on(table.organizationId, table.resolvedAt)
      .where(sql`resolved_at IS NOT NULL`),
    index('notifications_expiry')
      .on(table.resolvedAt)
      .where(sql`resolved_at IS NOT NULL`),
    index('notifications_person').on(table.personId),
    check('notifications_surface', sql`${table.surface} IN ('action', 'notice')`),
    check('notifications_resource', sql`(${table.resourceKind} IS NULL) = (${table.resourceId} IS NULL)`),
    check('notifications_resolved_by', sql`${table.resolvedBy} IS NULL OR ${table.resolvedAt} IS NOT NULL`),
  ],
)
