import { index, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { PublicJwk } from '../service-keys/contract.ts'
import { identitySchema, instant } from './base.ts'
import { users } from './people.ts'
import { services } from './services.ts'

/** Public keys by which services that run elsewhere prove who they are (IDN-40). What ended is kept: the log names it. */
export const serviceKeys = identitySchema.table(
  'service_keys',
  {
    id: uuid().primaryKey(),
    serviceId: uuid()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    publicKey: jsonb().$type<PublicJwk>().notNull(),
    /** RFC 7638, SHA-256: a key belongs to one service, once. */
    thumbprint: text().notNull().unique('service_keys_thumbprint'),
    /** Null when it was registered from the command line. */
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
    revokedAt: instant(),
  },
  (table) => [index('service_keys_service').on(table.serviceId, table.id)],
)

/** Service tokens that work for one request and had it. */
export const spentServiceTokens = identitySchema.table(
  'spent_service_tokens',
  { jti: uuid().primaryKey(), expiresAt: instant().notNull() },
  (table) => [index('spent_service_tokens_expires_at').on(table.expiresAt)],
)

/** Assertions that were used: each works once (RFC 7523). Kept until they would have ended. */
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
