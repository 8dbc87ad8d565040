import { sql } from 'drizzle-orm'
import { check, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { CredentialHealth, CredentialMode } from '../contract/credentials.ts'
import { createdAt, gateway, id, time } from './base.ts'

/** Keys of providers (GTW-01). `organizationId` is null for the defaults of the platform. */
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
    baseUrl: text().notNull(),
    health: text().$type<CredentialHealth>().notNull().default('unknown'),
    lastError: text(),
    checkedAt: time(),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
    rotatedAt: time(),
  },
  (table) => [
    unique('provider_credentials_owner').on(table.organizationId, table.provider, table.mode).nullsNotDistinct(),
    check('provider_credentials_mode', sql`${table.mode} IN ('live', 'test')`),
    check('provider_credentials_health', sql`${table.health} IN ('unknown', 'healthy', 'unhealthy')`),
  ],
)
