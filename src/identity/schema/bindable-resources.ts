import { sql } from 'drizzle-orm'
import { bigint, check, index, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'
import { services } from './services.ts'

/** As reported by services (IDN-18). Deleted ones stay, unlisted. */
export const bindableResources = identitySchema.table(
  'bindable_resources',
  {
    serviceId: uuid()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    resourceId: uuid().notNull(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Set by the reporting service: reports can arrive out of order, and older versions are ignored. */
    version: bigint({ mode: 'number' }).notNull(),
    deletedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.serviceId, table.kind, table.resourceId] }),
    index('bindable_resources_listed')
      .on(table.organizationId, table.serviceId, table.name, table.resourceId)
      .where(sql`${table.deletedAt} IS NULL`),
    check('bindable_resources_kind', sql`${table.kind} ~ '^[a-z_]{1,40}$'`),
    check('bindable_resources_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 200`),
  ],
)
