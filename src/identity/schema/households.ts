import { sql } from 'drizzle-orm'
import { boolean, check, index, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { users } from './people.ts'

/** Part of people’s personal context, not a tenant (IDN-15). */
export const households = identitySchema.table(
  'households',
  { id: uuid().primaryKey(), name: text().notNull(), createdAt: instant().notNull() },
  (table) => [check('households_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 100`)],
)

/** All members have the same rights. Each person has selected at most one household. */
export const householdMembers = identitySchema.table(
  'household_members',
  {
    householdId: uuid()
      .notNull()
      .references(() => households.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    selected: boolean().notNull().default(false),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.householdId, table.userId] }),
    index('household_members_user').on(table.userId, table.householdId),
    uniqueIndex('household_members_selected')
      .on(table.userId)
      .where(sql`${table.selected}`),
  ],
)

/** Accepting or declining deletes the row. */
export const householdInvitations = identitySchema.table(
  'household_invitations',
  {
    id: uuid().primaryKey(),
    householdId: uuid()
      .notNull()
      .references(() => households.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    invitedBy: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    unique('household_invitations_email').on(table.householdId, table.email),
    index('household_invitations_addressee').on(table.email),
    index('household_invitations_invited_by').on(table.invitedBy),
    check('household_invitations_email_form', sql`${table.email} = lower(${table.email})`),
  ],
)
