import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, text, unique, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'

/** Following the link deletes the row, so that it works once (IDN-48). */
export const registrations = identitySchema.table(
  'registrations',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    passwordHash: text().notNull(),
    createOrganization: boolean().notNull(),
    developerWorkspace: boolean().notNull(),
    organizationName: text(),
    organizationSlug: text(),
    tokenHash: text().notNull().unique('registrations_token_hash'),
    /** Digest of the browser’s cookie: with it, the link requires no password. */
    deviceHash: text().notNull(),
    mails: integer().notNull().default(0),
    mailedAt: instant(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('registrations_email').on(table.email, table.createdAt),
    index('registrations_expires_at').on(table.expiresAt),
    check('registrations_email_form', sql`${table.email} = lower(${table.email})`),
  ],
)

/** Following one deletes the row, so that it works once (PLT-38). */
export const superAdminLinks = identitySchema.table(
  'super_admin_links',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    tokenHash: text().notNull().unique('super_admin_links_token_hash'),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    unique('super_admin_links_email').on(table.email),
    check('super_admin_links_email_form', sql`${table.email} = lower(${table.email})`),
  ],
)
