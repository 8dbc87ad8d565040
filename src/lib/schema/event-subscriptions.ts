import { index, text, uuid } from 'drizzle-orm/pg-core'
import { instant, platform } from './base.ts'

/** What receives an event within this product, next to the webhook endpoints outside of it. */
export const eventSubscriptions = platform.table(
  'event_subscriptions',
  {
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    type: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index('event_subscriptions_type').on(table.organizationId, table.type)],
)
