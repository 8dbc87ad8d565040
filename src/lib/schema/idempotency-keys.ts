import { sql } from 'drizzle-orm'
import { check, index, integer, json, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ReplyOptions } from '../reply.ts'
import { instant, platform } from './base.ts'

export const idempotencyKeys = platform.table(
  'idempotency_keys',
  {
    scope: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    /** `running`: its effect has transactions of its own. `broken_off`: failed, and part of its effect can be there. */
    state: text({ enum: ['running', 'broken_off', 'done'] }).notNull(),
    owner: uuid(),
    /** By the database's clock: past it the process of the owner is gone, and the effect can have been done or not. */
    leaseUntil: instant(),
    status: integer(),
    /** The data of the response without secrets; JSON null without data. */
    answer: json(),
    options: jsonb().$type<Pick<ReplyOptions, 'headers' | 'next' | 'toast'>>(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    index('idempotency_keys_expires_at').on(table.expiresAt),
    check('idempotency_keys_state', sql`${table.state} IN ('running', 'broken_off', 'done')`),
    check('idempotency_keys_done', sql`(${table.state} = 'done') = (${table.status} IS NOT NULL)`),
  ],
)
