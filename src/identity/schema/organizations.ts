import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { bytes } from '#lib/db/bytes.ts'
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
    /** Of its logo; null without one. */
    logoSha256: text(),
    settings: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('organizations_slug_prefix').on(sql`${table.slug} text_pattern_ops`),
    check('organizations_slug_form', sql`${table.slug} ~ '^[a-z0-9][a-z0-9-]{1,46}[a-z0-9]$'`),
    check('organizations_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 100`),
  ],
)

/** Apart from the organizations, since only the page's images read them. */
export const organizationLogos = identitySchema.table(
  'organization_logos',
  {
    organizationId: uuid()
      .primaryKey()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** WebP. */
    image: bytes().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [check('organization_logos_size', sql`octet_length(${table.image}) BETWEEN 1 AND 1048576`)],
)
