import { eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { secondFactorTries } from '../schema.ts'

/** Codes that a person may try in a row. */
export const mostTries = 5
/** Minutes that nobody may try one after that. */
const wait = 15

/**
 * Takes one of a person's tries before their code is looked at, so that a thousand at once are no more than five.
 * Throws 429 while they have none.
 */
export async function takeTry(db: Database, userId: string, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  const [taken] = await db.execute(sql`
    INSERT INTO ${secondFactorTries} AS known (user_id, tries) VALUES (${userId}, 1)
    ON CONFLICT (user_id) DO UPDATE SET
      tries = CASE WHEN known.wait_until IS NULL THEN known.tries + 1 ELSE 1 END,
      wait_until = CASE WHEN known.wait_until IS NULL AND known.tries + 1 >= ${mostTries}
        THEN ${at} + ${wait} * interval '1 minute' END
    WHERE known.wait_until IS NULL OR known.wait_until <= ${at}
    RETURNING tries`)
  if (!taken) throw await mustWait(db, userId, now)
}

/** Gives them all back: a code was right. */
export async function forgetTries(db: Database, userId: string): Promise<void> {
  await db.delete(secondFactorTries).where(eq(secondFactorTries.userId, userId))
}

async function mustWait(db: Database, userId: string, now: Date): Promise<Problem> {
  const [row] = await db.select().from(secondFactorTries).where(eq(secondFactorTries.userId, userId))
  const seconds = Math.max(1, Math.ceil(((row?.waitUntil ?? now).getTime() - now.getTime()) / 1000))
  return new Problem(
    429,
    'too_many_codes',
    `${mostTries} codes in a row were not right. Wait ${Math.ceil(seconds / 60)} minutes, then sign in again.`,
    { headers: { 'Retry-After': String(seconds) } },
  )
}
