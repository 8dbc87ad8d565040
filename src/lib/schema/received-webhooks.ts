import { sql } from 'drizzle-orm'
import { check, customType, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant, platform } from './base.ts'

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

export const receivedWebhooks = platform.table(
  'received_webhooks',
  {
    id: uuid().primaryKey(),
    webhook: text().notNull(),
    path: text().notNull(),
    eventId: text().notNull(),
    type: text(),
    params: jsonb().$type<Record<string, string>>().notNull(),
    body: bytes().notNull(),
    state: text({ enum: ['waiting', 'handled', 'failed'] }).notNull(),
    round: integer().notNull().default(1),
    problem: text(),
    receivedAt: instant().notNull(),
    settledAt: instant(),
  },
  (table) => [
    uniqueIndex('received_webhooks_once').on(table.path, table.eventId),
    index('received_webhooks_received_at').on(table.receivedAt),
    index('received_webhooks_newest').on(table.webhook, table.id),
    index('received_webhooks_open')
      .on(table.state, table.id)
      .where(sql`state <> 'handled'`),
    check('received_webhooks_state', sql`${table.state} IN ('waiting', 'handled', 'failed')`),
    check('received_webhooks_settled', sql`(${table.settledAt} IS NULL) = (${table.state} = 'waiting')`),
    check('received_webhooks_problem', sql`(${table.problem} IS NULL) = (${table.state} <> 'failed')`),
  ],
)
