import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, primaryKey, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
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
    /** When it should be done: `dueAt`, and far in the future without one. */
    sortAt: time().notNull(),
    /** Posted without a raised action, so without its versions. */
    posted: boolean().notNull().default(false),
    /** When it was decided who is told of it, and how. */
    announcedAt: time(),
    /** The person or API key that posted it; null for services. */
    postedBy: uuid(),
    createdAt: createdAt(),
  },
  (table) => [
    index('notifications_open')
      .on(table.organizationId, table.sortAt, table.id)
      .where(sql`resolved_at IS NULL`),
    uniqueIndex('notifications_posted')
      .on(table.organizationId, table.service, table.cause)
      .where(sql`posted AND resolved_at IS NULL`),
    index('notifications_resolved')
      .on(table.organizationId, table.resolvedAt, table.id)
      .where(sql`resolved_at IS NOT NULL`),
    index('notifications_expiry')
      .on(table.resolvedAt)
      .where(sql`resolved_at IS NOT NULL`),
    index('notifications_unannounced')
      .on(table.organizationId, table.id)
      .where(sql`announced_at IS NULL`),
    index('notifications_person').on(table.personId),
    index('notifications_assignee')
      .on(table.assigneeId)
      .where(sql`assignee_id IS NOT NULL AND resolved_at IS NULL`),
    index('notifications_posted_notices')
      .on(table.raisedAt)
      .where(sql`posted AND surface = 'notice' AND resolved_at IS NULL`),
    check('notifications_surface', sql`${table.surface} IN ('action', 'notice')`),
    check('notifications_resource', sql`(${table.resourceKind} IS NULL) = (${table.resourceId} IS NULL)`),
    check('notifications_resolved_by', sql`${table.resolvedBy} IS NULL OR ${table.resolvedAt} IS NOT NULL`),
  ],
)

/** A notification that one person doesn’t want to see until later. */
export const notificationSnoozes = dashboard.table(
  'notification_snoozes',
  {
    notificationId: uuid()
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    organizationId: uuid().notNull(),
    personId: uuid().notNull(),
    until: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.notificationId, table.personId] }),
    index('notification_snoozes_person').on(table.personId, table.until),
    index('notification_snoozes_organization').on(table.organizationId),
    index('notification_snoozes_expiry').on(table.until),
  ],
)
