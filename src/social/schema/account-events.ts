import { sql } from 'drizzle-orm'
import { check, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import type { AccountEventKind } from '../contract.ts'
import { id, social, time } from './base.ts'
import { brandId } from './brands.ts'
import { connections } from './connections.ts'

/** What happened to the access of an account. */
export const accountEvents = social.table(
  'account_events',
  {
    id: id(),
    brandId: brandId(),
    connectionId: uuid()
      .notNull()
      .references(() => connections.id, { onDelete: 'cascade' }),
    kind: text().$type<AccountEventKind>().notNull(),
    /** Null when no person did it. */
    personId: uuid(),
    message: text(),
    /** Permissions, where they changed. */
    added: text().array().notNull().default([]),
    removed: text().array().notNull().default([]),
    /** Refreshes are one event until something else happens: tokens of hours would fill the history. */
    times: integer().notNull().default(1),
    firstAt: time().notNull(),
    at: time().notNull(),
  },
  (table) => [
    index('account_events_newest').on(table.connectionId, table.at, table.id),
    index('account_events_brand').on(table.brandId),
    index('account_events_oldest').on(table.at),
    check(
      'account_events_kind',
      sql`${table.kind} in ('connected', 'reconnected', 'permissions_changed', 'refreshed', 'refresh_failed', 'signed_out', 'disconnected', 'deactivated', 'paused', 'resumed')`,
    ),
    check('account_events_times', sql`${table.times} > 0 and ${table.firstAt} <= ${table.at}`),
  ],
)
