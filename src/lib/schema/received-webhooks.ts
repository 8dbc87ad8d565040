import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes } from '../db/bytes.ts'
import { instant, platform } from './base.ts'

export interface WebhookAttempt {
  number: number
  /** When it ended. */
  at: string
  /** Null when it succeeded. */
  problem: string | null
}

export const receivedWebhooks = platform.table(
  'received_webhooks',
  {
    id: uuid().primaryKey(),
    webhook: text().notNull(),
    path: text().notNull(),
    /** Null for an event that concerns no single organization, or before its handler has found it. */
    organizationId: uuid(),
    eventId: text().notNull(),
    type: text(),
    /** The provider's ID of what the event is about. */
    objectId: text(),
    params: jsonb().$type<Record<string, string>>().notNull(),
    body: bytes().notNull(),
    state: text({ enum: ['waiting', 'handled', 'failed', 'ignored'] }).notNull(),
    round: integer().notNull().default(1),
    problem: text(),
    /** Deliveries after the first one. */
    duplicates: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    /** The last ones. */
    attemptLog: jsonb().$type<readonly WebhookAttempt[]>().notNull().default([]),
    receivedAt: instant().notNull(),
    settledAt: instant(),
  },
  (table) => [
    uniqueIndex('received_webhooks_once').on(table.path, table.eventId),
    index('received_webhooks_received_at').on(table.receivedAt),
    index('received_webhooks_newest').on(table.webhook, table.id),
    index('received_webhooks_open')
      .on(table.state, table.id)
      .where(sql`state IN ('waiting', 'failed')`),
    index('received_webhooks_of_organization')
      .on(table.organizationId, table.webhook, table.id)
      .where(sql`organization_id IS NOT NULL`),
    index('received_webhooks_counts')
      .on(table.organizationId, table.webhook, table.state, table.duplicates)
      .where(sql`organization_id IS NOT NULL`),
    check('received_webhooks_state', sql`${table.state} IN ('waiting', 'handled', 'failed', 'ignored')`),
    check('received_webhooks_settled', sql`(${table.settledAt} IS NULL) = (${table.state} = 'waiting')`),
    check('received_webhooks_problem', sql`(${table.problem} IS NULL) = (${table.state} <> 'failed')`),
  ],
)
