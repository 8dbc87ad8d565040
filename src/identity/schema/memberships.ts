import { sql } from 'drizzle-orm'
import { check, index, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant, role } from './base.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'

/** A person’s one role in an organization (IDN-10). */
export const memberships = identitySchema.table(
  'memberships',
  {
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: role(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId] }),
    index('memberships_user').on(table.userId, table.organizationId),
    check('memberships_role', sql`${table.role} IN ('viewer', 'reviewer', 'editor', 'admin', 'owner')`),
  ],
)

/** Accepting or canceling one deletes the row, so that it works once (IDN-10). */
export const invitations = identitySchema.table(
  'invitations',
  {
    id: uuid().primaryKey(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    role: role(),
    tokenHash: text().notNull().unique('invitations_token_hash'),
    invitedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    /** The last email with the link, whose delivery status is shown. */
    mailId: uuid(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    unique('invitations_email').on(table.organizationId, table.email),
    index('invitations_invited_by').on(table.invitedBy),
    check('invitations_email_form', sql`${table.email} = lower(${table.email})`),
    check('invitations_role', sql`${table.role} IN ('viewer', 'reviewer', 'editor', 'admin', 'owner')`),
  ],
)

/** Lifted ones stay. An organization pending deletion is suspended until then. */
export const suspensions = identitySchema.table(
  'suspensions',
  {
    id: uuid().primaryKey(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    reason: text().notNull(),
    suspendedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    suspendedAt: instant().notNull(),
    /** When the deletion becomes final; null when none was requested. */
    deletesAt: instant(),
    remindedAt: instant(),
    liftedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    liftedAt: instant(),
  },
  (table) => [
    uniqueIndex('suspensions_running')
      .on(table.organizationId)
      .where(sql`${table.liftedAt} IS NULL`),
    index('suspensions_deletes_at')
      .on(table.deletesAt)
      .where(sql`${table.liftedAt} IS NULL AND ${table.deletesAt} IS NOT NULL`),
    index('suspensions_organization').on(table.organizationId, table.id),
    check('suspensions_deletes_at_later', sql`${table.deletesAt} > ${table.suspendedAt}`),
    check('suspensions_reason_length', sql`char_length(${table.reason}) BETWEEN 1 AND 500`),
    check(
      'suspensions_lifted',
      sql`${table.liftedAt} >= ${table.suspendedAt} AND (${table.liftedBy} IS NULL OR ${table.liftedAt} IS NOT NULL)`,
    ),
  ],
)
