import { sql } from 'drizzle-orm'
import { check, index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'

/** People, and agents, which can’t sign in. */
export const users = identitySchema.table(
  'users',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    /** When the address was verified, by the person or through a verified domain of an organization. */
    emailVerifiedAt: instant(),
    name: text().notNull(),
    principalType: text({ enum: ['user', 'agent', 'platform_super_admin'] })
      .notNull()
      .default('user'),
    /** argon2id; null without a password. */
    passwordHash: text(),
    /** The last active context: personal, or `lastOrganizationId`. */
    lastContext: text({ enum: ['personal', 'organization'] }),
    lastOrganizationId: uuid().references(() => organizations.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
    /** Erased accounts stay without a name, for references to them. */
    erasedAt: instant(),
  },
  (table) => [
    uniqueIndex('users_email').on(sql`lower(${table.email})`),
    index('users_email_prefix').on(sql`lower(${table.email}) text_pattern_ops`),
    index('users_name_prefix').on(sql`lower(${table.name}) text_pattern_ops`),
    index('users_erased_at')
      .on(table.erasedAt)
      .where(sql`erased_at IS NOT NULL`),
    check('users_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 100`),
    check('users_principal_type', sql`${table.principalType} IN ('user', 'agent', 'platform_super_admin')`),
    check('users_agent_password', sql`${table.principalType} <> 'agent' OR ${table.passwordHash} IS NULL`),
    check('users_last_context', sql`${table.lastContext} IN ('personal', 'organization')`),
  ],
)

export const appSwitcherPreferences = identitySchema.table(
  'app_switcher_preferences',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    favorites: uuid().array().notNull().default([]),
    hidden: uuid().array().notNull().default([]),
    tileSize: text({ enum: ['small', 'medium', 'large'] })
      .notNull()
      .default('medium'),
    /** Null follows the system. */
    theme: text({ enum: ['light', 'dark'] }),
    /** Canonical IANA name; null follows the browser. */
    timeZone: text(),
    /** Of dates and times; null is English. */
    language: text({ enum: ['en-GB', 'en-US', 'de-DE', 'es-ES', 'fr-FR'] }),
    /** Null follows the language. */
    hourCycle: text({ enum: ['h12', 'h23'] }),
  },
  (table) => [
    check('app_switcher_preferences_tile_size', sql`${table.tileSize} IN ('small', 'medium', 'large')`),
    check('app_switcher_preferences_theme', sql`${table.theme} IN ('light', 'dark')`),
    check('app_switcher_preferences_language', sql`${table.language} IN ('en-GB', 'en-US', 'de-DE', 'es-ES', 'fr-FR')`),
    check('app_switcher_preferences_hour_cycle', sql`${table.hourCycle} IN ('h12', 'h23')`),
  ],
)
