import { sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { orderNumbers } from '../schema.ts'

/**
 * The next number of the organization’s orders, such as `2026-00431`. Its row stays locked until the transaction ends,
 * so take it last.
 */
export async function takeOrderNumber(tx: Database, organizationId: string, at: Date): Promise<string> {
  const year = at.getUTCFullYear()
  const [row] = await tx
    .insert(orderNumbers)
    .values({ organizationId, year, last: 1 })
    .onConflictDoUpdate({
      target: [orderNumbers.organizationId, orderNumbers.year],
      set: { last: sql`${orderNumbers.last} + 1` },
    })
    .returning({ last: orderNumbers.last })
  return `${year}-${String(row?.last ?? 1).padStart(5, '0')}`
}
