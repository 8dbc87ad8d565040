import { and, eq, gt, gte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { Clock } from '#lib/time.ts'
import type { VenueSales } from '../contract/merchants.ts'
import { orders } from '../schema.ts'

const week = 7 * 24 * 60 * 60 * 1_000

/** Of orders that were created in the last seven days. */
export async function readSales(
  { db, now }: { db: Database; now: Clock },
  organizationId: string,
): Promise<z.input<typeof VenueSales>> {
  const items = await db
    .select({
      merchantId: orders.merchantId,
      venueId: orders.venueId,
      currency: orders.currency,
      orders: sql<number>`count(*)::int`,
      takings: sql`sum(${orders.captured} - ${orders.refunded})`.mapWith(Number),
    })
    .from(orders)
    .where(
      and(
        eq(orders.organizationId, organizationId),
        gte(orders.id, firstIdSince(now().getTime() - week)),
        gt(orders.captured, 0n),
      ),
    )
    .groupBy(orders.merchantId, orders.venueId, orders.currency)
    .orderBy(sql`count(*) DESC`, orders.currency)
  return { items }
}

/** UUIDv7s begin with their milliseconds, so the index of the newest orders finds them. */
function firstIdSince(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
