import { sql } from 'drizzle-orm'
import { check, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { instant, platform } from './base.ts'

export type Fields = Record<string, unknown>

/** Who did what, from where (PLT-24). Triggers refuse updates, except those that erase `before` and `after` of a tenant. */
export const auditLog = platform.table(
  'audit_log',
  {
    id: uuid().primaryKey(),
    at: instant().notNull(),
    organizationId: uuid(),
    principalId: uuid(),
    principalType: text(),
    credentialKind: text(),
    credentialId: text(),
    onBehalfOf: uuid(),
    /** The slug of the service whose operation it was; null for jobs. */
    service: text(),
    operation: text().notNull(),
    outcome: text({ enum: ['done', 'refused'] }).notNull(),
    objectKind: text(),
    objectId: text(),
    before: jsonb().$type<Fields>(),
    after: jsonb().$type<Fields>(),
    address: text(),
    requestId: uuid().notNull(),
  },
  (table) => [
    index('audit_log_newest').on(table.organizationId, table.at, table.id),
    index('audit_log_of_principal').on(table.organizationId, table.principalId, table.at, table.id),
    index('audit_log_of_service').on(table.organizationId, table.service, table.at, table.id),
    index('audit_log_refused')
      .on(table.organizationId, table.at, table.id)
      .where(sql`outcome = 'refused'`),
    index('audit_log_of_object').on(table.organizationId, table.objectId, table.at, table.id),
    check('audit_log_outcome', sql`${table.outcome} IN ('done', 'refused')`),
    check('audit_log_object', sql`${table.objectId} IS NULL OR ${table.objectKind} IS NOT NULL`),
  ],
)
