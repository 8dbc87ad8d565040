import { sql } from 'drizzle-orm'
import { text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { platform } from './base.ts'

/** The key that peppers are derived from, in one row, so that they stay the same when SECRETS_KEY changes (PLT-22). */
export const derivationRoots = platform.table(
  'derivation_roots',
  {
    id: uuid().primaryKey(),
    sealedRoot: text().notNull(),
  },
  () => [uniqueIndex('derivation_roots_one').on(sql`(true)`)],
)
