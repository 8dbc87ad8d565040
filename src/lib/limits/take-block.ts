import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db.ts'
import { rateLimits } from '../schema.ts'

interface Block {
  subject: string
  limit: string
  block: number
  windowMs: number
}

const TakenBlock = z.object({ taken: z.coerce.number(), remaining: z.coerce.number() })

/** Returns what was taken and the window's remaining milliseconds. More can be taken than the quota. */
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
