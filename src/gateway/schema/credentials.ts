import { sql } from 'drizzle-orm'
import { check, integer, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { CredentialHealth, CredentialMode } from '../contract/credentials.ts'
import { createdAt, gateway, id, time } from './base.ts'

/**
 * Keys of providers (GTW-01). `organizationId` is null for the defaults of the platform. While a key is rotated, its
 * successor is `incoming`: it is used first, and the active one when the provider rejects it (GTW-03).
 */
export const providerCredentials = gateway.table(
  'provider_credentials',
  {
    id: id(),
    organizationId: uuid(),
    provider: text().notNull(),
    mode: text().$type<CredentialMode>().notNull(),
    label: text().notNull(),
    sealedSecret: text().notNull(),
    lastFour: text().notNull(),
    status: text().$type<'active' | 'incoming'>().notNull().default('active'),
    /** Successful calls of an incoming key. */
    provedCalls: integer().notNull().default(0),
    /** When an incoming key becomes the active one at the latest. */
    rotationEndsAt: time(),
    baseUrl: text().notNull(),
    /** The account that the key is of, where its provider has them; null until it was asked. */
    accountId: text(),
    health: text().$type<CredentialHealth>().notNull().default('unknown'),
    lastError: text(),
    checkedAt: time(),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
    rotatedAt: time(),
  },
  (table) => [
    unique('provider_credentials_owner')
      .on(table.organizationId, table.provider, table.mode, table.status)
      .nullsNotDistinct(),
    check('provider_credentials_mode', sql`${table.mode} IN ('live', 'test')`),
    check('provider_credentials_status', sql`${table.status} IN ('active', 'incoming')`),
    check('provider_credentials_rotation', sql`(${table.status} = 'incoming') = (${table.rotationEndsAt} IS NOT NULL)`),
    check('provider_credentials_health', sql`${table.health} IN ('unknown', 'healthy', 'unhealthy')`),
  ],
)
