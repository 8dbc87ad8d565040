import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Channels } from '#lib/notification-kind.ts'
import { createdAt, dashboard, id, time } from './base.ts'

export const frequencies = ['immediate', 'hourly', 'daily'] as const

/** By the name of the kind: only what differs from its defaults. */
export type Choices = Record<string, Partial<Omit<Channels, 'chat'>>>

/** How a person is notified of what happens in an organization; without a row by the defaults. */
export const notificationPreferences = dashboard.table(
  'notification_preferences',
  {
    id: id(),
    organizationId: uuid().notNull(),
    personId: uuid().notNull(),
    email: boolean().notNull().default(true),
    push: boolean().notNull().default(true),
    choices: jsonb()
      .$type<Choices>()
      .notNull()
      .default(sql`'{}'::jsonb`),
    frequency: text({ enum: frequencies }).notNull().default('immediate'),
    /** Of daily emails, such as `09:00`. */
    dailyAt: text().notNull().default('09:00'),
    /** The browser's, for people who didn't choose one in their profile. */
    timeZone: text(),
    quietHours: boolean().notNull().default(false),
    quietFrom: text().notNull().default('20:00'),
    quietUntil: text().notNull().default('07:00'),
    /** On which they begin: 1 is Monday. */
    quietDays: smallint()
      .array()
      .notNull()
      .default(sql`'{1,2,3,4,5,6,7}'`),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: time().notNull(),
  },
  (table) => [
    uniqueIndex('notification_preferences_owner').on(table.personId, table.organizationId),
    index('notification_preferences_organization').on(table.organizationId),
    check('notification_preferences_frequency', sql`${table.frequency} IN ('immediate', 'hourly', 'daily')`),
    check('notification_preferences_choices', sql`jsonb_typeof(${table.choices}) = 'object'`),
    check(
      'notification_preferences_times',
      sql`(${table.dailyAt} || ${table.quietFrom} || ${table.quietUntil}) ~ '^(([01][0-9]|2[0-3]):[0-5][0-9]){3}$'`,
    ),
    check(
      'notification_preferences_quiet_hours',
      sql`${table.quietDays} <@ '{1,2,3,4,5,6,7}'::smallint[] AND cardinality(${table.quietDays}) <= 7 AND ${table.quietFrom} <> ${table.quietUntil}`,
    ),
  ],
)

export const chatFormats = ['slack', 'discord'] as const

/** The chat channel of an organization. */
export const chatWebhooks = dashboard.table(
  'chat_webhooks',
  {
    id: id(),
    organizationId: uuid().notNull(),
    format: text({ enum: chatFormats }).notNull(),
    /** Who knows it can post to the channel. */
    sealedUrl: text().notNull(),
    /** Of the URL, with the end of its path: what people see of it. */
    hint: text().notNull(),
    /** By the name of the kind: only what differs from its defaults. */
    choices: jsonb()
      .$type<Record<string, boolean>>()
      .notNull()
      .default(sql`'{}'::jsonb`),
    enabled: boolean().notNull().default(true),
    /** Attempts since the last one that succeeded. */
    failures: integer().notNull().default(0),
    failingSince: time(),
    problem: text(),
    lastDeliveredAt: time(),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: time().notNull(),
  },
  (table) => [
    uniqueIndex('chat_webhooks_organization').on(table.organizationId),
    check('chat_webhooks_format', sql`${table.format} IN ('slack', 'discord')`),
    check('chat_webhooks_choices', sql`jsonb_typeof(${table.choices}) = 'object'`),
    check('chat_webhooks_failures', sql`${table.failures} >= 0`),
    check('chat_webhooks_failing', sql`(${table.failingSince} IS NULL) = (${table.failures} = 0)`),
  ],
)
