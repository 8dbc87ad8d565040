import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, text, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { users } from './people.ts'

/** With user verification on the device, they count as two factors. */
export const passkeys = identitySchema.table(
  'passkeys',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** The credential id, base64url. */
    credentialId: text().notNull().unique('passkeys_credential'),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    /** 0 when the authenticator has none. */
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull(),
    /** The host that it was created for. */
    rpId: text().notNull(),
    /** Synced to other devices. */
    backedUp: boolean().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (table) => [
    index('passkeys_user').on(table.userId, table.id),
    check('passkeys_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 100`),
  ],
)

/** A response deletes the row, so that it works once. */
export const passkeyChallenges = identitySchema.table(
  'passkey_challenges',
  {
    hash: text().primaryKey(),
    /** Null for a sign-in. */
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** For reauthentication only: anyone with the session can request it, so it must not add a passkey. */
    provesOnly: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('passkey_challenges_user').on(table.userId),
    index('passkey_challenges_expires_at').on(table.expiresAt),
  ],
)
