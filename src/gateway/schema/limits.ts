import { sql } from 'drizzle-orm'
import { check, index, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { Family, LimitMode, Period, ScopeType } from '../contract/families.ts'
import { createdAt, gateway, id, nanoUsd, time } from './base.ts'

/** Spend limits (GTW-33). One per scope, family and period; `organizationId` is null for limits of the platform. */
export const limits = gateway.table(
  'limits',
  {
    id: id(),
    organizationId: uuid(),
    scopeType: text().$type<ScopeType>().notNull(),
    scopeValue: text().notNull(),
    /** Null for all families together. */
    family: text().$type<Family>(),
    period: text().$type<Period>().notNull(),
    mode: text().$type<LimitMode>().notNull(),
    limitNanoUsd: nanoUsd().notNull(),
    timeZone: text().notNull().default('UTC'),
    /** The start of the first period whose counter is complete: earlier ones aren't counted. */
    countsFrom: time()
      .notNull()
      .default(sql`now()`),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
    updatedAt: time()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    unique('limits_scope')
      .on(table.organizationId, table.scopeType, table.scopeValue, table.family, table.period)
      .nullsNotDistinct(),
    index('limits_by_scope').on(table.scopeType, table.scopeValue),
    check('limits_amount', sql`${table.limitNanoUsd} >= 0`),
    check('limits_scope_type', sql`${table.scopeType} IN ('platform', 'organization', 'application')`),
    check('limits_period', sql`${table.period} IN ('hour', 'day', 'week', 'month', 'total')`),
    check('limits_mode', sql`${table.mode} IN ('observe', 'soft', 'hard')`),
  ],
)
