import { sql } from 'drizzle-orm'
import { index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { ImageType } from '../contract.ts'
import { createdAt, id, social, time } from './base.ts'

/** Posts that the sandbox network received. It is separate from social, so nothing references it. */
export const sandboxReceipts = social.table(
  'sandbox_receipts',
  {
    id: id(),
    handle: text().notNull(),
    text: text().notNull(),
    replyTo: uuid(),
    media: jsonb().$type<{ id: string; alt: string }[]>().notNull().default([]),
    receivedAt: time()
      .notNull()
      .default(sql`date_trunc('milliseconds', clock_timestamp())`),
    editedAt: time(),
  },
  (table) => [index('sandbox_receipts_timeline').on(table.handle, table.receivedAt, table.id)],
)

/** As base64. */
export const sandboxFiles = social.table('sandbox_files', {
  id: id(),
  handle: text().notNull(),
  contentType: text().$type<ImageType>().notNull(),
  content: text().notNull(),
  createdAt: createdAt(),
})

export const sandboxBehaviors = social.table('sandbox_behaviors', {
  handle: text().primaryKey(),
  behavior: jsonb().$type<Record<string, unknown>>().notNull(),
  /** How many times the fault still happens; null: until changed. */
  remaining: integer(),
})
