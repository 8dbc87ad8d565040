import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, text, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { users } from './people.ts'

/** WebAuthn credentials by which people sign in: with the device's own check of who holds it, both factors at once. */
export const passkeys = identitySchema.table(
  'passkeys',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** The authenticator's name of it, base64url. */
    credentialId: text().notNull().unique('passkeys_credential'),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    /** Uses as the authenticator counts them; 0 where it doesn't. */
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull(),
    /** The host that it was made for. */
    rpId: text().notNull(),
    /** Kept beyond the one device, so that losing that loses nothing. */
    backedUp: boolean().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (table) => [
    index('passkeys_user').on(table.userId, table.id),
    check('passkeys_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 100`),
  ],
)

/** What an authenticator is asked to sign. Answering it deletes the row: it works once. */
export const passkeyChallenges = identitySchema.table(
  'passkey_challenges',
  {
    hash: text().primaryKey(),
    /** The person who adds a passkey or proves that they are there; null for a sign-in. */
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** An answer adds no passkey: anybody with the session can ask for one. */
    provesOnly: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('passkey_challenges_user').on(table.userId),
    index('passkey_challenges_expires_at').on(table.expiresAt),
  ],
)
