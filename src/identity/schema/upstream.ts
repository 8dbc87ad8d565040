import { index, text, unique, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { users } from './people.ts'

/** Who somebody is elsewhere: by the issuer's own name for them, never by an e-mail address (IDN-08). */
export const upstreamIdentities = identitySchema.table(
  'upstream_identities',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** By which provider it came: a name of the configuration, or the id of the organization whose own it is. */
    provider: text().notNull(),
    issuer: text().notNull(),
    subject: text().notNull(),
    /** The domain for which an organization's own provider made the account; null where the person connected it themself. */
    domain: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    unique('upstream_identities_subject').on(table.issuer, table.subject),
    index('upstream_identities_user').on(table.userId, table.id),
    index('upstream_identities_domain').on(table.provider, table.domain),
  ],
)

/** Who went to a provider and has not come back yet. Coming back deletes the row: its state is good once. */
export const upstreamSignIns = identitySchema.table(
  'upstream_sign_ins',
  {
    id: uuid().primaryKey(),
    stateHash: text().notNull().unique('upstream_sign_ins_state_hash'),
    /** Of the cookie of the browser that went there: nobody else may come back (login CSRF). */
    deviceHash: text().notNull(),
    provider: text().notNull(),
    /** Who connects a further way to sign in; null for whoever signs in. */
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    next: text(),
    expiresAt: instant().notNull(),
  },
  (table) => [index('upstream_sign_ins_expires_at').on(table.expiresAt)],
)
