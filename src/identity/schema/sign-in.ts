import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { users } from './people.ts'

/** In a row (IDN-02), per account, device, person or network; a right password deletes the row. */
export const signInFailures = identitySchema.table(
  'sign_in_failures',
  {
    kind: text({ enum: ['account', 'device', 'proof', 'address', 'site'] }).notNull(),
    /** The digest of an email address, the id of a device or person, or a network (IPv6: /64, for a site /48). */
    subject: text().notNull(),
    failures: integer().notNull(),
    lastFailedAt: instant().notNull(),
    /** No attempt is accepted before. */
    waitsUntil: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.subject] }),
    index('sign_in_failures_last_failed_at').on(table.lastFailedAt),
    check('sign_in_failures_kind', sql`${table.kind} IN ('account', 'device', 'proof', 'address', 'site')`),
    check('sign_in_failures_count', sql`${table.failures} > 0`),
  ],
)

/** Browsers by cookie, programs by name and network. */
export const knownDevices = identitySchema.table(
  'known_devices',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** `browser` and the digest of the cookie's token, or `program` and the digest of its name and network. */
    mark: text().notNull(),
    createdAt: instant().notNull(),
    /** Updated at most once a day. */
    lastUsedAt: instant().notNull(),
  },
  (table) => [
    unique('known_devices_mark').on(table.userId, table.mark),
    index('known_devices_last_used_at').on(table.lastUsedAt),
  ],
)
