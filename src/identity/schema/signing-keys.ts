import { index, text, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'

/** Ed25519. The newest active one signs; older ones verify until their tokens have expired. */
export const signingKeys = identitySchema.table(
  'signing_keys',
  {
    id: uuid().primaryKey(),
    /** The coordinate `x` of the public JWK. */
    publicKey: text().notNull(),
    /** PKCS #8, base64, sealed. */
    sealedPrivateKey: text().notNull(),
    createdAt: instant().notNull(),
    signsFrom: instant().notNull(),
  },
  (table) => [index('signing_keys_signs_from').on(table.signsFrom)],
)
