import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from './db.ts'

const Row = z.object({ ms: z.number() })

/** The time by the clock of the database, which all servers share: their own clocks can be wrong. To the millisecond. */
export async function databaseTime(db: Database): Promise<Date> {
  const rows = await db.execute(sql`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`)
  return new Date(Row.parse(rows[0]).ms)
}
