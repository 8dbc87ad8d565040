import { index, text, unique, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { users } from './people.ts'

/** By the issuer’s subject, never by email address (IDN-08). */
export const upstreamIdentities = identitySchema.table(
  'upstream_identities',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A configured provider’s name, or the id of an organization with single sign-on. */
    provider: text().notNull(),
    issuer: text().notNull(),
    subject: text().notNull(),
    /** The domain through which single sign-on created the account; null when the person connected the identity. */
    domain: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    unique('upstream_identities_subject').on(table.issuer, table.subject),
    index('upstream_identities_user').on(table.userId, table.id),
    index('upstream_identities_domain').on(table.provider, table.domain),
  ],
)

/** A response deletes the row, so that the state works once. */
export const upstreamSignIns = identitySchema.table(
  'upstream_sign_ins',
  {
    id: uuid().primaryKey(),
    stateHash: text().notNull().unique('upstream_sign_ins_state_hash'),
    /** Digest of the browser’s cookie: only it can finish the sign-in (login CSRF). */
    deviceHash: text().notNull(),
    provider: text().notNull(),
    /** Null for a sign-in. */
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    next: text(),
    expiresAt: instant().notNull(),
  },
  (table) => [index('upstream_sign_ins_expires_at').on(table.expiresAt)],
)
