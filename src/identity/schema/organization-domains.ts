import { sql } from 'drizzle-orm'
import { check, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'

/** Only verified ones allow single sign-on to create accounts and sign them in (IDN-49). */
export const organizationDomains = identitySchema.table(
  'organization_domains',
  {
    id: uuid().primaryKey(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Lowercase ASCII. */
    domain: text().notNull(),
    token: text().notNull(),
    createdAt: instant().notNull(),
    /** Set while the domain counts as verified. */
    verifiedAt: instant(),
    checkedAt: instant(),
    /** Null when the last lookup succeeded, or there was none. */
    failure: text({ enum: ['record_missing', 'record_wrong', 'dns_unavailable'] }),
    /** Since when a verified domain’s record is missing. */
    missingSince: instant(),
  },
  (table) => [
    unique('organization_domains_domain').on(table.organizationId, table.domain),
    // A domain can be verified by one organization only.
    uniqueIndex('organization_domains_verified')
      .on(table.domain)
      .where(sql`${table.verifiedAt} IS NOT NULL`),
    check(
      'organization_domains_form',
      sql`${table.domain} ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9-]{2,63}$' AND length(${table.domain}) <= 253`,
    ),
    check(
      'organization_domains_failure',
      sql`${table.failure} IN ('record_missing', 'record_wrong', 'dns_unavailable')`,
    ),
    check('organization_domains_missing', sql`${table.missingSince} IS NULL OR ${table.verifiedAt} IS NOT NULL`),
  ],
)
