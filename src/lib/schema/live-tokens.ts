import { index, uuid } from 'drizzle-orm/pg-core'
import { instant, platform } from './base.ts'

export const liveTokens = platform.table(
  'live_tokens',
  { id: uuid().primaryKey(), expiresAt: instant().notNull() },
  (table) => [index('live_tokens_expires_at').on(table.expiresAt)],
)
