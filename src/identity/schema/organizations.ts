import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'

export const organizations = identitySchema.table(
  'organizations',
  {
    id: uuid().primaryKey(),
    slug: text().notNull().unique('organizations_slug'),
    name: text().notNull(),
    developerWorkspace: boolean().notNull().default(false),
    /** Only sessions with two factors can work in it (IDN-49). */
    requiresSecondFactor: boolean().notNull().default(false),
    /** An IANA name; null until an owner chooses it. */
    timeZone: text(),
    settings: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('organizations_slug_prefix').on(sql`${table.slug} text_pattern_ops`),
    check('organizations_slug_form', sql`${table.slug} ~ '^[a-z0-9][a-z0-9-]{1,46}[a-z0-9]$'`),
    check('organizations_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 100`),
  ],
)
