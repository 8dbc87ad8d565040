import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db.ts'

const Row = z.object({ ms: z.number() })

/** The database's clock, in milliseconds. Servers' own clocks can differ. */
export async function databaseTime(db: Database): Promise<Date> {
  const rows = await db.execute(sql`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`)
  return new Date(Row.parse(rows[0]).ms)
}
