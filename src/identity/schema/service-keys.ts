import { index, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { PublicJwk } from '../tokens/service-keys/contract.ts'
import { identitySchema, instant } from './base.ts'
import { users } from './people.ts'
import { services } from './services.ts'

/** For services in other processes (IDN-40). Revoked keys stay, since the audit log refers to them. */
export const serviceKeys = identitySchema.table(
  'service_keys',
  {
    id: uuid().primaryKey(),
    serviceId: uuid()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    publicKey: jsonb().$type<PublicJwk>().notNull(),
    /** RFC 7638, SHA-256: each key is registered once, for one service. */
    thumbprint: text().notNull().unique('service_keys_thumbprint'),
    /** Null when registered from the command line. */
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
    revokedAt: instant(),
  },
  (table) => [index('service_keys_service').on(table.serviceId, table.id)],
)

/** Of the kind that works once. */
export const spentServiceTokens = identitySchema.table(
  'spent_service_tokens',
  { jti: uuid().primaryKey(), expiresAt: instant().notNull() },
  (table) => [index('spent_service_tokens_expires_at').on(table.expiresAt)],
)

/** RFC 7523; kept until they would have expired. */
export const serviceAssertions = identitySchema.table(
  'service_assertions',
  {
    serviceKeyId: uuid()
      .notNull()
      .references(() => serviceKeys.id, { onDelete: 'cascade' }),
    jtiHash: text().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.serviceKeyId, table.jtiHash] }),
    index('service_assertions_expires_at').on(table.expiresAt),
  ],
)
