import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Family, LimitMode, Payer } from '../contract/families.ts'
import { createdAt, gateway, id, nanoUsd, time } from './base.ts'
import { limits } from './limits.ts'

/** One row, raised by every change of a limit: a hold is only valid under the limits that its server knows. */
export const limitsVersion = gateway.table(
  'limits_version',
  {
    id: integer().primaryKey(),
    version: bigint({ mode: 'number' }).notNull(),
    /** A limit is being changed: until then, servers write the row of each hold first. */
    journalFirstUntil: time()
      .notNull()
      .default(sql`to_timestamp(0)`),
  },
  (table) => [check('limits_version_single', sql`${table.id} = 1`)],
)

/** What one period of a limit has spent, and what servers have leased of it. */
export const budgetPeriods = gateway.table(
  'budget_periods',
  {
    limitId: uuid()
      .notNull()
      .references(() => limits.id, { onDelete: 'cascade' }),
    periodStart: time().notNull(),
    /** Null for a total, which never resets. */
    periodEnd: time(),
    spentNanoUsd: nanoUsd()
      .notNull()
      .default(sql`0`),
    leasedNanoUsd: nanoUsd()
      .notNull()
      .default(sql`0`),
    /** The highest percentage of the limit for which a warning was raised. */
    warnedPercent: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.limitId, table.periodStart] }),
    check('budget_periods_leased', sql`${table.leasedNanoUsd} >= 0`),
  ],
)

/** Processes that hold budget. A new ID for every start, and after a process was found stale. */
export const gatewayServers = gateway.table(
  'gateway_servers',
  {
    id: uuid().primaryKey(),
    lastSeenAt: time().notNull(),
    /** Every hold has its row in `budget_holds`. Otherwise only its leases cover those that have none yet. */
    journalsFirst: boolean().notNull().default(true),
  },
  (table) => [index('gateway_servers_by_last_seen').on(table.lastSeenAt)],
)

/** The sum of a period's rows is its `leased_nano_usd`. */
export const budgetLeases = gateway.table(
  'budget_leases',
  {
    serverId: uuid()
      .notNull()
      .references(() => gatewayServers.id),
    limitId: uuid()
      .notNull()
      .references(() => limits.id, { onDelete: 'cascade' }),
    periodStart: time().notNull(),
    /** Including what running requests hold of it. */
    amountNanoUsd: nanoUsd().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.serverId, table.limitId, table.periodStart] }),
    index('budget_leases_by_limit').on(table.limitId, table.periodStart),
    check('budget_leases_amount', sql`${table.amountNanoUsd} >= 0`),
  ],
)

/** Requests that were sent to a provider and aren't settled. After a crash they count as spent. */
export const budgetHolds = gateway.table(
  'budget_holds',
  {
    id: uuid().primaryKey(),
    serverId: uuid()
      .notNull()
      .references(() => gatewayServers.id),
    organizationId: uuid().notNull(),
    requestId: text().notNull(),
    applicationId: text(),
    apiKeyId: uuid(),
    userId: text(),
    family: text().$type<Family>().notNull(),
    provider: text().notNull(),
    model: text(),
    /** `organization` only if every provider that can be called is paid by it. */
    paidBy: text().$type<Payer>().notNull().default('platform'),
    /** Taken from each of `parts`. */
    amountNanoUsd: nanoUsd().notNull(),
    parts: jsonb().$type<{ limitId: string; periodStart: string }[]>().notNull(),
    heldAt: time().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('budget_holds_by_server').on(table.serverId),
    index('budget_holds_by_organization').on(table.organizationId),
    check('budget_holds_paid_by', sql`${table.paidBy} IN ('platform', 'organization')`),
    check('budget_holds_amount', sql`${table.amountNanoUsd} >= 0`),
  ],
)

/**
 * Where a period's counter differs from its records: re-rating left it alone, because the period was over or not to
 * reopen it; or a server stopped, and what it could have spent counts as spent (negative).
 */
export const budgetDifferences = gateway.table(
  'budget_differences',
  {
    id: id(),
    limitId: uuid()
      .notNull()
      .references(() => limits.id, { onDelete: 'cascade' }),
    periodStart: time().notNull(),
    amountNanoUsd: nanoUsd().notNull(),
    /** The server that stopped; null for re-rating. */
    serverId: uuid(),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('budget_differences_by_period').on(table.limitId, table.periodStart)],
)

/** Warnings that a budget has reached 50, 80 or 100 %. */
export const budgetAlerts = gateway.table(
  'budget_alerts',
  {
    id: id(),
    /** Null for a limit of the platform. */
    organizationId: uuid(),
    limitId: uuid()
      .notNull()
      .references(() => limits.id, { onDelete: 'cascade' }),
    percent: integer().notNull(),
    mode: text().$type<LimitMode>().notNull(),
    spentNanoUsd: nanoUsd().notNull(),
    limitNanoUsd: nanoUsd().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('budget_alerts_newest').on(table.organizationId, table.id),
    index('budget_alerts_by_limit').on(table.limitId),
    index('budget_alerts_by_time').on(table.createdAt),
    check('budget_alerts_percent', sql`${table.percent} IN (50, 80, 100)`),
  ],
)
