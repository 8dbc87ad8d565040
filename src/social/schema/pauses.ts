import { sql } from 'drizzle-orm'
import { check, index, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, social } from './base.ts'
import { brands } from './brands.ts'
import { connections } from './connections.ts'

/** What publishes nothing until it is resumed: an organization, a brand, or one account of a brand. */
export const pauses = social.table(
  'pauses',
  {
    id: id(),
    /** Pauses all its brands; null for a single one. */
    organizationId: uuid(),
    brandId: uuid().references(() => brands.id, { onDelete: 'cascade' }),
    connectionId: uuid().references(() => connections.id, { onDelete: 'cascade' }),
    pausedBy: uuid().notNull(),
    pausedAt: createdAt(),
  },
  (table) => [
    unique('pauses_target').on(table.brandId, table.connectionId, table.organizationId).nullsNotDistinct(),
    index('pauses_organization').on(table.organizationId),
    index('pauses_connection').on(table.connectionId),
    check('pauses_scope', sql`(${table.organizationId} is null) <> (${table.brandId} is null)`),
    check('pauses_account', sql`${table.connectionId} is null or ${table.brandId} is not null`),
  ],
)
