import { sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '../db.ts'

/** Rows per statement, few enough to stay far below DATABASE_STATEMENT_TIMEOUT_MS with their cascades. */
const batchSize = 2_000

export async function deleteInBatches(db: Database, table: PgTable, condition: SQL): Promise<void> {
  const next = db
    .select({ ctid: sql`ctid` })
    .from(table)
    .where(condition)
    .limit(batchSize)
  for (;;) {
    const deleted = await db
      .delete(table)
      .where(sql`ctid = ANY (ARRAY(${next})) AND ${condition}`)
      .returning({ one: sql`1` })
    if (deleted.length < batchSize) return
  }
}
