import { sql } from 'drizzle-orm'
import { check, index, text, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { users } from './people.ts'

/** Using one deletes all links of the person (IDN-08). */
export const passwordResets = identitySchema.table(
  'password_resets',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: text().notNull().unique('password_resets_token_hash'),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index('password_resets_user').on(table.userId), index('password_resets_expires_at').on(table.expiresAt)],
)

/** Before it is verified it gets only the verification email (IDN-07). */
export const recoveryEmails = identitySchema.table(
  'recovery_emails',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    /** Digest of the verification link’s token; null after it was used. */
    tokenHash: text().unique('recovery_emails_token_hash'),
    expiresAt: instant(),
    verifiedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    check('recovery_emails_email_form', sql`${table.email} = lower(${table.email})`),
    check(
      'recovery_emails_verified',
      sql`(${table.verifiedAt} IS NULL) = (${table.tokenHash} IS NOT NULL) AND (${table.tokenHash} IS NULL) = (${table.expiresAt} IS NULL)`,
    ),
  ],
)

/** Pending until both mailboxes have confirmed it (IDN-08). */
export const emailChanges = identitySchema.table(
  'email_changes',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    /** Of the links to both addresses; null after use. */
    oldTokenHash: text().unique('email_changes_old_token_hash'),
    newTokenHash: text().unique('email_changes_new_token_hash'),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('email_changes_expires_at').on(table.expiresAt),
    check('email_changes_email_form', sql`${table.email} = lower(${table.email})`),
  ],
)
