import { sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from './db.ts'

/** Rows of one statement: with what a cascade deletes beside them it stays far below DATABASE_STATEMENT_TIMEOUT_MS. */
const batch = 2_000

/** Deletes all rows that meet a condition, however many they are, in statements of at most 2,000 rows. */
export async function deleteInBatches(db: Database, table: PgTable, condition: SQL): Promise<void> {
  const next = db
    .select({ ctid: sql`ctid` })
    .from(table)
    .where(condition)
    .limit(batch)
  for (;;) {
    const deleted = await db
      .delete(table)
      .where(sql`ctid = ANY (ARRAY(${next})) AND ${condition}`)
      .returning({ one: sql`1` })
    if (deleted.length < batch) return
  }
}
