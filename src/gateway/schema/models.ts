import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, jsonb, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { Lifecycle, RateName, UseCase } from '../contract/models.ts'
import { createdAt, gateway, id, time } from './base.ts'

/** Models of a use case in the order in which they are tried. `organizationId` is null for the platform's defaults. */
export const modelRoutes = gateway.table(
  'model_routes',
  {
    id: id(),
    organizationId: uuid(),
    useCase: text().$type<UseCase>().notNull(),
    models: text().array().notNull(),
    updatedBy: uuid().notNull(),
    updatedAt: createdAt(),
  },
  (table) => [
    unique('model_routes_use_case').on(table.organizationId, table.useCase).nullsNotDistinct(),
    check('model_routes_length', sql`cardinality(${table.models}) BETWEEN 1 AND 10`),
  ],
)

/** Without a row, an organization can use every model. */
export const modelAllowLists = gateway.table('model_allow_lists', {
  organizationId: uuid().primaryKey(),
  models: text().array().notNull(),
  updatedBy: uuid().notNull(),
  updatedAt: createdAt(),
})

/** Prices that people entered, because the catalog has none or another one. Null: for all organizations. */
export const modelPrices = gateway.table(
  'model_prices',
  {
    id: id(),
    organizationId: uuid(),
    provider: text().notNull(),
    model: text().notNull(),
    /** Dollars as decimal strings. */
    rates: jsonb().$type<Partial<Record<RateName, string>>>().notNull(),
    since: date().notNull(),
    reason: text(),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('model_prices_since').on(table.organizationId, table.provider, table.model, table.since).nullsNotDistinct(),
  ],
)

/** Models that a source lists, and what is known about their lifecycle. */
export const catalogModels = gateway.table(
  'catalog_models',
  {
    provider: text().notNull(),
    model: text().notNull(),
    status: text().$type<Lifecycle>().notNull(),
    deprecatedOn: date(),
    retiresOn: date(),
    replacement: text(),
    source: text().notNull(),
    /** Set by a person: a sync doesn't change it. */
    pinned: boolean().notNull().default(false),
    firstSeenAt: createdAt(),
    lastSeenAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.model] }),
    index('catalog_models_first_seen').on(table.firstSeenAt),
    check('catalog_models_status', sql`${table.status} IN ('active', 'preview', 'deprecated', 'retired')`),
  ],
)

export const modelSources = gateway.table('model_sources', {
  name: text().primaryKey(),
  healthy: boolean().notNull(),
  error: text(),
  models: integer().notNull().default(0),
  checkedAt: time().notNull(),
  /** When its last good data were read. */
  succeededAt: time(),
})
