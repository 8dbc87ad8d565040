import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'
import { knownDevices } from './sign-in.ts'

const person = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** RFC 6238. In use once it is confirmed with a code. */
export const totpAuthenticators = identitySchema.table(
  'totp_authenticators',
  {
    id: uuid().primaryKey(),
    userId: person(),
    sealedSecret: text().notNull(),
    /** The time step of the last accepted code: that and older ones are refused. */
    lastStep: integer(),
    createdAt: instant().notNull(),
    confirmedAt: instant(),
  },
  (table) => [
    unique('totp_authenticators_user').on(table.userId),
    check('totp_authenticators_confirmed', sql`(${table.confirmedAt} IS NULL) = (${table.lastStep} IS NULL)`),
  ],
)

/** Using one deletes the row, so that it works once. */
export const recoveryCodes = identitySchema.table(
  'recovery_codes',
  { userId: person(), hash: text().notNull(), createdAt: instant().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)

/** The last code of a person without another way to reauthenticate. Using it deletes the row. */
export const proofCodes = identitySchema.table(
  'proof_codes',
  {
    userId: person().primaryKey(),
    hash: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index('proof_codes_expires_at').on(table.expiresAt)],
)

/** Wrong codes in a row; until `waitUntil` no other is accepted. */
export const secondFactorTries = identitySchema.table(
  'second_factor_tries',
  {
    userId: person().primaryKey(),
    tries: integer().notNull(),
    waitUntil: instant(),
  },
  (table) => [check('second_factor_tries_positive', sql`${table.tries} > 0`)],
)

/** The same per known device, so that a stranger with the password can’t lock the person out of it. */
export const deviceCodeTries = identitySchema.table(
  'device_code_tries',
  {
    deviceId: uuid()
      .primaryKey()
      .references(() => knownDevices.id, { onDelete: 'cascade' }),
    tries: integer().notNull(),
    waitUntil: instant(),
  },
  (table) => [check('device_code_tries_positive', sql`${table.tries} > 0`)],
)

/** Completing one deletes the row, so that it works once. */
export const signInChallenges = identitySchema.table(
  'sign_in_challenges',
  {
    tokenHash: text().primaryKey(),
    userId: person(),
    /** Null is the personal context. */
    organizationId: uuid().references(() => organizations.id, { onDelete: 'cascade' }),
    method: text({ enum: ['password', 'link', 'sso', 'registration'] }).notNull(),
    tries: integer().notNull().default(0),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('sign_in_challenges_user').on(table.userId),
    index('sign_in_challenges_expires_at').on(table.expiresAt),
    check('sign_in_challenges_method', sql`${table.method} IN ('password', 'link', 'sso', 'registration')`),
  ],
)
