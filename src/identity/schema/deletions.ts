import { sql } from 'drizzle-orm'
import { check, index, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'
import { services } from './services.ts'

/** Accounts that wait for their deletion and have no session. Cancelling deletes the row. */
export const accountDeletions = identitySchema.table(
  'account_deletions',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    requestedAt: instant().notNull(),
    /** When it becomes final. */
    deletesAt: instant().notNull(),
    /** When the person was reminded of that. */
    remindedAt: instant(),
    /** Digest of what the last sign-in was given to cancel it with. */
    cancelTokenHash: text().unique('account_deletions_cancel_token_hash'),
    cancelExpiresAt: instant(),
  },
  (table) => [
    index('account_deletions_deletes_at').on(table.deletesAt),
    check('account_deletions_deletes_at_later', sql`${table.deletesAt} > ${table.requestedAt}`),
    check('account_deletions_cancel', sql`(${table.cancelTokenHash} IS NULL) = (${table.cancelExpiresAt} IS NULL)`),
  ],
)

/** Which services have erased what they kept of an organization whose deletion is final. */
export const organizationErasures = identitySchema.table(
  'organization_erasures',
  {
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    serviceId: uuid()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    erasedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.serviceId] })],
)
