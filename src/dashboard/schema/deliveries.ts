import { sql } from 'drizzle-orm'
import { check, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dashboard, id, time } from './base.ts'
import { notifications } from './notifications.ts'

export const deliveryChannels = ['email', 'push', 'chat'] as const
export const deliveryStates = ['waiting', 'sent', 'failed', 'dropped'] as const

/** What is sent, or was, to tell of a notification: one row for each place that it goes to. */
export const notificationDeliveries = dashboard.table(
  'notification_deliveries',
  {
    id: id(),
    organizationId: uuid().notNull(),
    notificationId: uuid()
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    channel: text({ enum: deliveryChannels }).notNull(),
    /** Null for a chat channel. */
    personId: uuid(),
    /** Of emails the person, of push messages the subscription, of chat messages the webhook. */
    targetId: uuid().notNull(),
    state: text({ enum: deliveryStates }).notNull().default('waiting'),
    dueAt: time().notNull(),
    /** Until then one server sends it. */
    leasedUntil: time(),
    attempts: integer().notNull().default(0),
    /** Why it failed or was dropped. */
    problem: text(),
    /** Of the outbox. */
    mailId: uuid(),
    createdAt: createdAt(),
    settledAt: time(),
  },
  (table) => [
    uniqueIndex('notification_deliveries_once').on(table.notificationId, table.channel, table.targetId),
    index('notification_deliveries_due')
      .on(table.dueAt)
      .where(sql`state = 'waiting'`),
    index('notification_deliveries_target').on(table.channel, table.targetId, table.organizationId, table.dueAt),
    index('notification_deliveries_person').on(table.personId),
    index('notification_deliveries_organization').on(table.organizationId),
    index('notification_deliveries_expiry').on(table.settledAt),
    check('notification_deliveries_channel', sql`${table.channel} IN ('email', 'push', 'chat')`),
    check('notification_deliveries_state', sql`${table.state} IN ('waiting', 'sent', 'failed', 'dropped')`),
    check('notification_deliveries_settled', sql`(${table.settledAt} IS NULL) = (${table.state} = 'waiting')`),
    check('notification_deliveries_person', sql`(${table.personId} IS NULL) = (${table.channel} = 'chat')`),
    check('notification_deliveries_mail', sql`${table.mailId} IS NULL OR ${table.channel} = 'email'`),
  ],
)
