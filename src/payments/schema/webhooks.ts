import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { accountKey, createdAt, id, payments, time } from './base.ts'

/** A search for lost events that goes on at a cursor of the provider's list. */
export interface EventSearch {
  cursor: string
  /** Of the newest event that it found, and of the oldest that it looks for: ISO times. */
  newest: string
  from: string
}

/** Where the provider sends events to, and the secrets that sign them (PAY-20). */
export const providerEndpoints = payments.table(
  'webhook_endpoints',
  {
    id: id(),
    /** Null for the platform’s own account at the provider. */
    organizationId: uuid(),
    provider: text({ enum: ['stripe', 'practice'] }).notNull(),
    mode: text({ enum: ['live', 'test'] }).notNull(),
    /** Events of the account itself, or of the accounts connected to it. */
    scope: text({ enum: ['account', 'connect'] }).notNull(),
    accountKey: accountKey(),
    url: text().notNull(),
    providerEndpointId: text(),
    /** Null until it is registered, or its secret was pasted. */
    sealedSecret: text(),
    sealedPreviousSecret: text(),
    previousSecretEndsAt: time(),
    /** While a server registers it. */
    claimedAt: time(),
    createdAt: createdAt(),
    lastEventAt: time(),
    /** Events of the provider’s list that are older were stored. */
    searchedUntil: time(),
    search: jsonb().$type<EventSearch>(),
  },
  (table) => [
    unique('webhook_endpoints_owner')
      .on(table.organizationId, table.provider, table.mode, table.scope, table.accountKey)
      .nullsNotDistinct(),
    check('webhook_endpoints_provider', sql`${table.provider} IN ('stripe', 'practice')`),
    check('webhook_endpoints_mode', sql`${table.mode} IN ('live', 'test')`),
    check('webhook_endpoints_scope', sql`${table.scope} IN ('account', 'connect')`),
    check(
      'webhook_endpoints_previous_secret',
      sql`(${table.sealedPreviousSecret} IS NULL) = (${table.previousSecretEndsAt} IS NULL)`,
    ),
  ],
)

/** How far the events of an account that is connected to an endpoint’s were searched. */
export const connectedSearches = payments.table(
  'connected_searches',
  {
    endpointId: uuid()
      .notNull()
      .references(() => providerEndpoints.id, { onDelete: 'cascade' }),
    account: text().notNull(),
    /** Of the endpoint. */
    organizationId: uuid(),
    /** Also without success: the ones that were searched longest ago are next. */
    searchedAt: time().notNull(),
    searchedUntil: time().notNull(),
    search: jsonb().$type<EventSearch>(),
  },
  (table) => [
    primaryKey({ columns: [table.endpointId, table.account] }),
    index('connected_searches_organization').on(table.organizationId),
  ],
)

/** Requests with an invalid signature, by the hour: one row for each owner of an endpoint. */
export const rejectedWebhooks = payments.table(
  'rejected_webhooks',
  {
    id: id(),
    /** Null for the platform’s own endpoint, and for URLs without one. */
    organizationId: uuid(),
    hour: time().notNull(),
    count: integer().notNull(),
  },
  (table) => [unique('rejected_webhooks_hour').on(table.organizationId, table.hour).nullsNotDistinct()],
)
