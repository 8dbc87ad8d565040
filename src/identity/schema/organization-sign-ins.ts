import { sql } from 'drizzle-orm'
import { boolean, check, text, unique, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'

/** OpenID Connect (IDN-49). */
export const organizationSignIns = identitySchema.table(
  'organization_sign_ins',
  {
    id: uuid().primaryKey(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    issuer: text().notNull(),
    clientId: text().notNull(),
    sealedSecret: text().notNull(),
    /** Only read by servers of the previous release; replaced by `organization_domains`. */
    domains: text()
      .array()
      .notNull()
      .default(sql`ARRAY['unverified.invalid']`),
    /** Owners can sign in either way. */
    required: boolean().notNull().default(false),
    createdAt: instant().notNull(),
  },
  (table) => [
    unique('organization_sign_ins_organization').on(table.organizationId),
    check('organization_sign_ins_domains', sql`cardinality(${table.domains}) BETWEEN 1 AND 20`),
  ],
)
