import { sql } from 'drizzle-orm'
import { check, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'

/** E-mail domains of organizations. Only a verified one lets its own provider make accounts and sign them in (IDN-49). */
export const organizationDomains = identitySchema.table(
  'organization_domains',
  {
    id: uuid().primaryKey(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Lowercase ASCII. */
    domain: text().notNull(),
    /** What the TXT record has to hold. */
    token: text().notNull(),
    createdAt: instant().notNull(),
    /** Set while the organization counts as the owner of the domain. */
    verifiedAt: instant(),
    /** When the record was looked up last. */
    checkedAt: instant(),
    /** Why the last lookup proved nothing; null when it did, or there was none. */
    failure: text({ enum: ['record_missing', 'record_wrong', 'dns_unavailable'] }),
    /** Since when the record of a verified domain is gone. */
    missingSince: instant(),
  },
  (table) => [
    unique('organization_domains_domain').on(table.organizationId, table.domain),
    // A domain has one owner.
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
