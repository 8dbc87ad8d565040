import { sql } from 'drizzle-orm'
import { boolean, check, index, text, uuid, type AnyPgColumn } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'
import { services } from './services.ts'

/** A sign-in on one device; the unit of revocation. The cookie’s value is stored as a digest. */
export const sessions = identitySchema.table(
  'sessions',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null is the personal context. */
    organizationId: uuid().references(() => organizations.id, { onDelete: 'set null' }),
    tokenHash: text().notNull().unique('sessions_token_hash'),
    method: text({ enum: ['password', 'passkey', 'link', 'sso', 'registration'] })
      .notNull()
      .default('password'),
    /** The organization whose single sign-on opened it: it works nowhere else (IDN-49). */
    onlyIn: uuid().references(() => organizations.id, { onDelete: 'cascade' }),
    /** Verified with two factors; a passkey counts as both. */
    secondFactor: boolean().notNull().default(false),
    device: text(),
    address: text(),
    /** The service that a one-time code opened it for; null for a sign-in itself. */
    serviceId: uuid().references(() => services.id, { onDelete: 'cascade' }),
    /** The sign-in that it belongs to and ends with. */
    parentId: uuid().references((): AnyPgColumn => sessions.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    /** Updated at most every five minutes. */
    lastUsedAt: instant()
      .notNull()
      .default(sql`now()`),
    /** Extended by use, up to `expiresAt`. */
    idleExpiresAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_parent').on(table.parentId),
    index('sessions_idle_expires_at').on(table.idleExpiresAt),
    check('sessions_arrival', sql`(${table.serviceId} IS NULL) = (${table.parentId} IS NULL)`),
    check('sessions_method', sql`${table.method} IN ('password', 'passkey', 'link', 'sso', 'registration')`),
    check(
      'sessions_expiry',
      sql`${table.createdAt} < ${table.idleExpiresAt} AND ${table.idleExpiresAt} <= ${table.expiresAt}`,
    ),
  ],
)

/** Digests; used ones stay, to detect reuse. */
export const refreshTokens = identitySchema.table(
  'refresh_tokens',
  {
    hash: text().primaryKey(),
    sessionId: uuid()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [
    index('refresh_tokens_session').on(table.sessionId),
    index('refresh_tokens_expires_at').on(table.expiresAt),
  ],
)
