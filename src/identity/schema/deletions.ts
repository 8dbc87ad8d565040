import { sql } from 'drizzle-orm'
import { check, index, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'
import { services } from './services.ts'

/** They have no sessions. Canceling deletes the row. */
export const accountDeletions = identitySchema.table(
  'account_deletions',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    requestedAt: instant().notNull(),
    deletesAt: instant().notNull(),
    remindedAt: instant(),
    /** Digest of the token with which the last sign-in can cancel the deletion. */
    cancelTokenHash: text().unique('account_deletions_cancel_token_hash'),
    cancelExpiresAt: instant(),
  },
  (table) => [
    index('account_deletions_deletes_at').on(table.deletesAt),
    check('account_deletions_deletes_at_later', sql`${table.deletesAt} > ${table.requestedAt}`),
    check('account_deletions_cancel', sql`(${table.cancelTokenHash} IS NULL) = (${table.cancelExpiresAt} IS NULL)`),
  ],
)

/** The services that have erased their part of an account. */
export const accountErasures = identitySchema.table(
  'account_erasures',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    serviceId: uuid()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    erasedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.serviceId] })],
)

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

/** For 30 days: services erase what was written while identity erased the organization. */
export const erasedOrganizations = identitySchema.table(
  'erased_organizations',
  {
    organizationId: uuid().primaryKey(),
    erasedAt: instant().notNull(),
    /** Services that have erased what came later. */
    sweptBy: uuid()
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [index('erased_organizations_erased_at').on(table.erasedAt)],
)
