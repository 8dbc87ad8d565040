import { sql } from 'drizzle-orm'
import type { Database } from '../db.ts'

/**
 * Keeps the waiting job of a key from starting until `db`'s transaction has ended: it would miss what the transaction
 * changes. False when none waits any more.
 */
export async function holdWaiting(db: Database, name: string, key: string): Promise<boolean> {
  const found = await db.execute(sql`
    SELECT FROM pgboss.job WHERE name = ${name} AND COALESCE(singleton_key, '') = ${key}
      AND state = 'created' AND policy = 'short' FOR KEY SHARE`)
  return found.length > 0
}
