import { sql } from 'drizzle-orm'
import type { Database } from '../db.ts'

/** False when none of the key waits. @param startAfter Seconds from now, or the time */
export async function moveWaiting(
  db: Database,
  name: string,
  key: string,
  startAfter: Date | number = 0,
): Promise<boolean> {
  const at =
    typeof startAfter === 'number'
      ? sql`now() + make_interval(secs => ${startAfter})`
      : sql`${startAfter.toISOString()}::timestamptz`
  const moved = await db.execute(sql`
    UPDATE pgboss.job SET start_after = ${at}
    WHERE name = ${name} AND COALESCE(singleton_key, '') = ${key} AND state = 'created' AND policy = 'short'
    RETURNING id`)
  return moved.length > 0
}
