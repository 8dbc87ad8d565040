import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db.ts'
import { rateLimits } from '../schema.ts'

interface Block {
  subject: string
  /** What is counted. */
  limit: string
  block: number
  /** Milliseconds from the first to the next allowance. */
  windowMs: number
}

const TakenBlock = z.object({ taken: z.coerce.number(), remaining: z.coerce.number() })

/**
 * Counts a block, and answers how many were taken in this window and how many milliseconds of it remain. One statement,
 * by the database's clock: servers' own may differ. More can be taken than there is.
 */
export async function takeBlock(db: Database, { subject, limit, block, windowMs }: Block) {
  const end = sql`clock_timestamp() + ${windowMs} * interval '1 millisecond'`
  const [row] = await db.execute(sql`
    INSERT INTO ${rateLimits} AS known (subject, class, taken, resets_at)
    VALUES (${subject}, ${limit}, ${block}, ${end})
    ON CONFLICT (subject, class) DO UPDATE SET
      taken = CASE WHEN known.resets_at <= clock_timestamp() THEN ${block} ELSE known.taken + ${block} END,
      resets_at = CASE WHEN known.resets_at <= clock_timestamp() THEN ${end} ELSE known.resets_at END
    RETURNING taken, extract(epoch FROM resets_at - clock_timestamp()) * 1000 AS remaining`)
  return TakenBlock.parse(row)
}
