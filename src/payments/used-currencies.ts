import { desc, sql, type SQL } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { orders, refunds, settlements } from './schema.ts'

const latestRows = 1_000

/** Of the latest 1,000 rows of an owner, the most used first. */
export async function listUsedCurrencies(
  db: Database,
  table: typeof orders | typeof refunds | typeof settlements,
  owned: SQL | undefined,
): Promise<string[]> {
  const latest = db
    .select({ currency: table.currency })
    .from(table)
    .where(owned)
    .orderBy(desc(table.id))
    .limit(latestRows)
    .as('latest')
  const rows = await db
    .select({ currency: latest.currency })
    .from(latest)
    .groupBy(latest.currency)
    .orderBy(desc(sql`count(*)`), latest.currency)
  return rows.map(({ currency }) => currency)
}
