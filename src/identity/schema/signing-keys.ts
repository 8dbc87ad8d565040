import { sql } from 'drizzle-orm'
import { text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'

/** Ed25519 keys of identity's tokens. One signs; retired ones verify until their tokens are gone. */
export const signingKeys = identitySchema.table(
  'signing_keys',
  {
    id: uuid().primaryKey(),
    /** The point `x` of the public JWK. */
    publicKey: text().notNull(),
    /** PKCS #8, base64, sealed. */
    sealedPrivateKey: text().notNull(),
    createdAt: instant().notNull(),
    retiredAt: instant(),
  },
  (table) => [
    uniqueIndex('signing_keys_current')
      .on(sql`(${table.retiredAt} IS NULL)`)
      .where(sql`${table.retiredAt} IS NULL`),
  ],
)
