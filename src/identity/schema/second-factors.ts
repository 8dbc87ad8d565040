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

/** A person's authenticator app (RFC 6238); it counts once a code of it was shown. */
export const totpAuthenticators = identitySchema.table(
  'totp_authenticators',
  {
    id: uuid().primaryKey(),
    userId: person(),
    sealedSecret: text().notNull(),
    /** The step of the code that was taken last: none is taken twice, and no older one. */
    lastStep: integer(),
    createdAt: instant().notNull(),
    confirmedAt: instant(),
  },
  (table) => [
    unique('totp_authenticators_user').on(table.userId),
    check('totp_authenticators_confirmed', sql`(${table.confirmedAt} IS NULL) = (${table.lastStep} IS NULL)`),
  ],
)

/** Codes for whoever lost their authenticator, as digests. Using one deletes it: it works once. */
export const recoveryCodes = identitySchema.table(
  'recovery_codes',
  { userId: person(), hash: text().notNull(), createdAt: instant().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)

/** The code mailed last to a person who has nothing else to prove themselves by. Using it deletes the row. */
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

/** Codes that a person tried in a row; while `waitUntil` lies ahead no other is looked at. */
export const secondFactorTries = identitySchema.table(
  'second_factor_tries',
  {
    userId: person().primaryKey(),
    tries: integer().notNull(),
    waitUntil: instant(),
  },
  (table) => [check('second_factor_tries_positive', sql`${table.tries} > 0`)],
)

/** The same for a device that the person has signed in from before: a stranger who knows the password doesn't lock it out. */
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

/** Somebody who showed one factor and owes the other. Answering it deletes the row: it works once. */
export const signInChallenges = identitySchema.table(
  'sign_in_challenges',
  {
    tokenHash: text().primaryKey(),
    userId: person(),
    /** The context that they come to; null is the personal one. */
    organizationId: uuid().references(() => organizations.id, { onDelete: 'cascade' }),
    /** How the first factor was shown. */
    method: text({ enum: ['password', 'link', 'upstream', 'registration'] }).notNull(),
    tries: integer().notNull().default(0),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('sign_in_challenges_user').on(table.userId),
    index('sign_in_challenges_expires_at').on(table.expiresAt),
    check('sign_in_challenges_method', sql`${table.method} IN ('password', 'link', 'upstream', 'registration')`),
  ],
)
