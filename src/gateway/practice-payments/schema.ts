import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgSchema, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** Its own schema: the practice payment provider is a counterpart of the gateway and shares nothing with it. */
export const practicePaymentsSchema = pgSchema('practice_payments')

const time = () => timestamp({ withTimezone: true, precision: 3 })
const serial = () => bigint({ mode: 'number' }).generatedAlwaysAsIdentity()

/** Every object of every account, as Stripe would return it. */
export const paymentObjects = practicePaymentsSchema.table(
  'objects',
  {
    account: text().notNull(),
    id: text().notNull(),
    type: text().notNull(),
    /** The order of creation, which lists have. */
    position: serial(),
    /** Unix seconds. */
    created: integer().notNull(),
    isDeleted: boolean().notNull().default(false),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    /** What responses don’t show, such as the outcome of a test card. */
    hidden: jsonb()
      .$type<Record<string, unknown>>()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [
    primaryKey({ columns: [table.account, table.id] }),
    index('objects_by_type').on(table.account, table.type, table.position),
    index('objects_by_id').on(table.id),
    index('objects_by_data').using('gin', sql`${table.data} jsonb_path_ops`),
  ],
)

export const paymentIdempotencyKeys = practicePaymentsSchema.table(
  'idempotency_keys',
  {
    account: text().notNull(),
    key: text().notNull(),
    /** SHA-256 of method, path and parameters. */
    digest: text().notNull(),
    status: integer().notNull(),
    body: text().notNull(),
    requestId: text().notNull(),
    createdAt: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.key] }), index('idempotency_by_age').on(table.createdAt)],
)

/** Webhooks to be sent. A sent or abandoned one is deleted. */
export const paymentDeliveries = practicePaymentsSchema.table(
  'deliveries',
  {
    id: serial().primaryKey(),
    account: text().notNull(),
    /** The account of the endpoint, which differs for events of connected accounts. */
    endpointAccount: text().notNull(),
    endpointId: text().notNull(),
    eventId: text().notNull(),
    attempts: integer().notNull().default(0),
    dueAt: time().notNull(),
  },
  (table) => [index('deliveries_due').on(table.dueAt)],
)

/** What happens later by itself: a payout arrives, a session expires. */
export const paymentTasks = practicePaymentsSchema.table(
  'tasks',
  {
    id: serial().primaryKey(),
    account: text().notNull(),
    kind: text().notNull(),
    objectId: text().notNull(),
    dueAt: time().notNull(),
  },
  (table) => [index('tasks_due').on(table.dueAt)],
)

export const paymentBehaviors = practicePaymentsSchema.table('behaviors', {
  /** Empty for every account. */
  account: text().primaryKey(),
  behavior: jsonb().$type<Record<string, unknown>>().notNull(),
  /** How many webhooks, responses and payouts are still affected; null for any number. */
  webhooksLeft: integer(),
  answersLeft: integer(),
  payoutsLeft: integer(),
})
