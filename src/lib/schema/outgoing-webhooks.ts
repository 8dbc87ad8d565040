import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant, platform } from './base.ts'

export const webhookEndpoints = platform.table(
  'webhook_endpoints',
  {
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    name: text().notNull(),
    url: text().notNull(),
    events: text().array().notNull(),
    /** `disabled`: the URL responded 410. */
    state: text({ enum: ['enabled', 'paused', 'disabled'] }).notNull(),
    /** `whsec_…`, sealed. */
    sealedSecret: text().notNull(),
    sealedPreviousSecret: text(),
    previousSecretEndsAt: instant(),
    slow: boolean().notNull().default(false),
    /** Counts changes, for `If-Match`. */
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('webhook_endpoints_organization').on(table.organizationId, table.id),
    check('webhook_endpoints_state', sql`${table.state} IN ('enabled', 'paused', 'disabled')`),
    check('webhook_endpoints_events', sql`cardinality(${table.events}) > 0`),
    check(
      'webhook_endpoints_previous_secret',
      sql`(${table.sealedPreviousSecret} IS NULL) = (${table.previousSecretEndsAt} IS NULL)`,
    ),
  ],
)

/** The outbox of webhook events, written in the transaction that caused them. */
export const webhookMessages = platform.table(
  'webhook_messages',
  {
    /** Sent as `webhook-id`, the same for every attempt. */
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    type: text().notNull(),
    /** The exact JSON that is signed. */
    body: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('webhook_messages_created_at').on(table.createdAt),
    index('webhook_messages_organization').on(table.organizationId),
  ],
)

export const webhookDeliveries = platform.table(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    messageId: uuid()
      .notNull()
      .references(() => webhookMessages.id, { onDelete: 'cascade' }),
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    state: text({ enum: ['waiting', 'delivered', 'failed'] }).notNull(),
    /** Counts replays: a job of an earlier round does nothing. */
    round: integer().notNull().default(1),
    tries: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    lastStatus: integer(),
    /** Null while it waits without a job: its webhook is paused, or its organization suspended. */
    nextAttemptAt: instant(),
    createdAt: instant().notNull(),
    settledAt: instant(),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_once').on(table.messageId, table.endpointId),
    index('webhook_deliveries_of_endpoint').on(table.endpointId, table.id),
    index('webhook_deliveries_waiting')
      .on(table.endpointId)
      .where(sql`state = 'waiting'`),
    index('webhook_deliveries_failed')
      .on(table.endpointId, table.id)
      .where(sql`state = 'failed'`),
    index('webhook_deliveries_held')
      .on(table.endpointId, table.id)
      .where(sql`state = 'waiting' AND next_attempt_at IS NULL`),
    check('webhook_deliveries_state', sql`${table.state} IN ('waiting', 'delivered', 'failed')`),
    check('webhook_deliveries_settled', sql`(${table.settledAt} IS NULL) = (${table.state} = 'waiting')`),
    check('webhook_deliveries_next', sql`${table.nextAttemptAt} IS NULL OR ${table.state} = 'waiting'`),
  ],
)

/** Attempts at deliveries. The newest 20 of each are kept. */
export const webhookAttempts = platform.table(
  'webhook_attempts',
  {
    deliveryId: uuid()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    at: instant().notNull(),
    durationMs: integer().notNull(),
    status: integer(),
    answer: text(),
    problem: text(),
  },
  (table) => [
    primaryKey({ columns: [table.deliveryId, table.number] }),
    check('webhook_attempts_outcome', sql`(${table.status} IS NULL) <> (${table.problem} IS NULL)`),
  ],
)
