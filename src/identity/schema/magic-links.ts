import { sql } from 'drizzle-orm'
import { boolean, check, index, text, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'

/** Links that sign somebody in. Using one deletes it: it works once (IDN-46). */
export const magicLoginTokens = identitySchema.table(
  'magic_login_tokens',
  {
    id: uuid().primaryKey(),
    tokenHash: text().notNull().unique('magic_login_tokens_token_hash'),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address that it was made for: whoever has another one by now gets nothing by it. */
    email: text().notNull(),
    /** Where to work; the person's usual context for null. */
    organizationId: uuid().references(() => organizations.id, { onDelete: 'cascade' }),
    /** Where the browser goes on to: a path here, or a registered address elsewhere. */
    redirectUri: text(),
    /** Never mailed: a service hands it to the browser that has just shown itself, so opening it is enough. */
    skipInterstitial: boolean().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** When somebody, or a program that checks mail, looked at it first. */
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
