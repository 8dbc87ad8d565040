import { sql } from 'drizzle-orm'
import { boolean, check, index, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'
import { services } from './services.ts'
import { sessions } from './sessions.ts'

/** Compared character by character (IDN-23). */
export const serviceRedirectUris = identitySchema.table(
  'service_redirect_uris',
  {
    serviceId: uuid()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    uri: text().notNull(),
    /** The URI to which the app switcher sends people with a hand-off code. */
    handoff: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.serviceId, table.uri] }),
    uniqueIndex('service_redirect_uris_handoff')
      .on(table.serviceId)
      .where(sql`${table.handoff}`),
    check('service_redirect_uris_form', sql`${table.uri} ~ '^[a-z][a-z0-9+.-]*:[^#*\\s]+$'`),
    check('service_redirect_uris_length', sql`char_length(${table.uri}) <= 2048`),
  ],
)

/** One-time (IDN-22, IDN-23). Used ones stay, to detect reuse. */
export const ssoCodes = identitySchema.table(
  'sso_codes',
  {
    hash: text().primaryKey(),
    serviceId: uuid()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** It ends with this session. */
    sessionId: uuid()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** Null is the personal context. */
    organizationId: uuid().references(() => organizations.id, { onDelete: 'cascade' }),
    redirectUri: text().notNull(),
    /** S256 of the required verifier; null for a hand-off, which has none. */
    codeChallenge: text(),
    scope: text(),
    nonce: text(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    /** The session that it opened, which a reuse of the code ends. */
    openedSessionId: uuid().references(() => sessions.id, { onDelete: 'set null' }),
  },
  (table) => [
    index('sso_codes_session').on(table.sessionId),
    index('sso_codes_opened_session').on(table.openedSessionId),
    index('sso_codes_expires_at').on(table.expiresAt),
    check('sso_codes_challenge_form', sql`${table.codeChallenge} ~ '^[A-Za-z0-9_-]{43}$'`),
    check('sso_codes_opened', sql`${table.openedSessionId} IS NULL OR ${table.usedAt} IS NOT NULL`),
  ],
)
