import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  jsonb,
  numeric,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes } from '#lib/db/bytes.ts'
import type { Certainty, Family, Payer } from '../contract/families.ts'
import { gateway, nanoUsd, time } from './base.ts'

/** Bytewise comparison: faster than the database's own, and the same on every system. */
const key = customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' })
const quantity = () => numeric({ mode: 'number' }).notNull()
/** Limits of the platform count only what the platform pays. */
const paidBy = () => text().$type<Payer>().notNull().default('platform')

/** What was counted: unique whatever the day (GTW-30), kept as long as raw rows. */
export const usageDedupe = gateway.table(
  'usage_dedupe',
  {
    organizationId: uuid().notNull(),
    requestId: key().notNull(),
    /** Of what the reporter sent: the same id with another payload is a conflict. */
    payloadDigest: bytes().notNull(),
    occurredAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.requestId] }),
    index('usage_dedupe_occurred').using('brin', table.occurredAt),
  ],
)

/** One row per processed request (GTW-31). Partitioned by the UTC day of `occurred_at`: see usage/partitions.ts. */
export const usageLogs = gateway.table(
  'usage_logs',
  {
    id: uuid().notNull(),
    organizationId: uuid().notNull(),
    requestId: key().notNull(),
    applicationId: text(),
    apiKeyId: uuid(),
    userId: text(),
    family: text().$type<Family>().notNull(),
    provider: text().notNull(),
    model: text(),
    unit: text().notNull(),
    quantity: quantity(),
    costNanoUsd: nanoUsd().notNull(),
    certainty: text().$type<Certainty>().notNull(),
    paidBy: paidBy(),
    /** The date from which the applied price is valid; null without a dated price. */
    priceDate: date(),
    occurredAt: time().notNull(),
    receivedAt: time()
      .notNull()
      .default(sql`now()`),
    metadata: jsonb().$type<Record<string, unknown>>(),
    inputTokens: integer(),
    outputTokens: integer(),
    cachedTokens: integer(),
    /** Other kinds that have a price of their own, such as tokens of images. */
    otherUnits: jsonb().$type<Record<string, number>>(),
    latencyMs: integer(),
    firstByteMs: integer(),
    status: integer(),
    errorCode: text(),
    fallbacks: integer(),
    streamed: boolean(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.occurredAt, table.id] }),
    check('usage_logs_certainty', sql`${table.certainty} IN ('exact', 'estimated', 'suspect')`),
    check('usage_logs_paid_by', sql`${table.paidBy} IN ('platform', 'organization')`),
  ],
)

/** Folded from `usage_logs` in the same transaction, and kept. */
export const usageDaily = gateway.table(
  'usage_daily',
  {
    organizationId: uuid().notNull(),
    /** In UTC. */
    day: date().notNull(),
    applicationId: text(),
    apiKeyId: uuid(),
    userId: text(),
    family: text().$type<Family>().notNull(),
    provider: text().notNull(),
    model: text(),
    unit: text().notNull(),
    paidBy: paidBy(),
    count: bigint({ mode: 'number' }).notNull(),
    quantity: quantity(),
    /** No bigint: what one organization reports in a day has no bound. */
    costNanoUsd: numeric({ mode: 'bigint' }).notNull(),
  },
  (table) => [
    check('usage_daily_paid_by', sql`${table.paidBy} IN ('platform', 'organization')`),
    unique('usage_daily_key')
      .on(
        table.organizationId,
        table.day,
        table.family,
        table.provider,
        table.model,
        table.unit,
        table.applicationId,
        table.apiKeyId,
        table.userId,
        table.paidBy,
      )
      .nullsNotDistinct(),
  ],
)
