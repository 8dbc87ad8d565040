import { and, eq, isNull, lte, notExists, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { organizationErasures, suspensions } from '../schema.ts'

/** Per run; the next run takes the rest. */
const batchSize = 100
/** Clocks differ between servers, and a deletion that was canceled in the last moment must not be executed. */
const safetyMarginMs = 5 * 60_000

export const isDue = (now: Date) =>
  and(isNull(suspensions.liftedAt), lte(suspensions.deletesAt, new Date(now.getTime() - safetyMarginMs)))

export const dueBefore = (now: Date): Date => new Date(now.getTime() - safetyMarginMs)

/** In random order, so that erasures that fail each time don't fill each batch. */
export const inRandomOrder = sql`random()`

export async function listDue(db: Database, serviceId: string, now: Date): Promise<string[]> {
  const done = db
    .select({ one: sql`1` })
    .from(organizationErasures)
    .where(
      and(
        eq(organizationErasures.organizationId, suspensions.organizationId),
        eq(organizationErasures.serviceId, serviceId),
      ),
    )
  const rows = await db
    .select({ id: suspensions.organizationId })
    .from(suspensions)
    .where(and(isDue(now), notExists(done)))
    .orderBy(inRandomOrder)
    .limit(batchSize)
  return rows.map(({ id }) => id)
}
