import { eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { subscriptions } from '../../schema.ts'

/** Has a subscription read again at this time, unless it is read before. */
export const checkAt = async (db: Database, id: string, at: Date | null): Promise<void> => {
  if (at === null) return
  const { nextCheckAt } = subscriptions
  await db
    .update(subscriptions)
    .set({ nextCheckAt: sql`least(${nextCheckAt}, ${at.toISOString()}::timestamptz)` })
    .where(eq(subscriptions.id, id))
}
