import { sql } from 'drizzle-orm'
import { boolean, check, index, text, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'

/** Using one deletes the row, so that it works once (IDN-46). */
export const magicLoginTokens = identitySchema.table(
  'magic_login_tokens',
  {
    id: uuid().primaryKey(),
    tokenHash: text().notNull().unique('magic_login_tokens_token_hash'),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The link is invalid once the person has another address. */
    email: text().notNull(),
    /** The organization to open; null for the person’s usual context. */
    organizationId: uuid().references(() => organizations.id, { onDelete: 'cascade' }),
    /** Where to redirect: a path on this server, or a registered URI elsewhere. */
    redirectUri: text(),
    /** For links that a service gives directly to a browser and never emails: opening them is enough. */
    skipInterstitial: boolean().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** When a person or a mail scanner first opened it. */
    firstOpenedAt: instant(),
  },
  (table) => [
    index('magic_login_tokens_user').on(table.userId, table.createdAt),
    index('magic_login_tokens_organization').on(table.organizationId),
    index('magic_login_tokens_expires_at').on(table.expiresAt),
    check('magic_login_tokens_email_form', sql`${table.email} = lower(${table.email})`),
    check('magic_login_tokens_expiry', sql`${table.createdAt} < ${table.expiresAt}`),
  ],
)
