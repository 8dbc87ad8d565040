import { and, desc, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { Customer } from '../contract/customers.ts'
import { customers, orders } from '../schema.ts'

export type CustomerRow = typeof customers.$inferSelect
export type StoredCustomer = z.input<typeof Customer>

/** With what their orders say of them. */
export async function describeCustomers(
  db: Database,
  rows: readonly CustomerRow[],
  canUpdate: boolean,
): Promise<StoredCustomer[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [sums, urgent] = await Promise.all([readSums(db, ids), readAttention(db, ids)])
  return rows.map((row) => {
    const own = sums.filter(({ customerId }) => customerId === row.id)
    const latest = Math.max(0, ...own.map(({ lastOrderAt }) => lastOrderAt.getTime()))
    return {
      ...row,
      totals: own.map(({ captured, refunded, ...sum }) => ({ ...sum, captured, refunded, spent: captured - refunded })),
      lastOrderAt: latest > 0 ? new Date(latest) : null,
      attention: urgent.get(row.id) ?? null,
      can: { update: canUpdate && row.erasedAt === null },
    }
  })
}

const readSums = async (db: Database, ids: readonly string[]) =>
  db
    .select({
      customerId: orders.customerId,
      currency: orders.currency,
      orders: sql<number>`count(*)::int`,
      captured: sql`sum(${orders.captured})`.mapWith(BigInt),
      refunded: sql`sum(${orders.refunded})`.mapWith(BigInt),
      lastOrderAt: sql`max(${orders.createdAt})`.mapWith(orders.createdAt),
    })
    .from(orders)
    .where(inArray(orders.customerId, [...ids]))
    .groupBy(orders.customerId, orders.currency)
    .orderBy(sql`count(*) DESC`, orders.currency)

export const needsAction = sql`${orders.status} IN ('requires_action', 'failed', 'disputed') AND ${orders.customerId} IS NOT NULL`

async function readAttention(db: Database, ids: readonly string[]) {
  const rows = await db
    .selectDistinctOn([orders.customerId], { customerId: orders.customerId, status: orders.status })
    .from(orders)
    .where(and(inArray(orders.customerId, [...ids]), needsAction))
    .orderBy(orders.customerId, desc(orders.id))
  return new Map(rows.map(({ customerId, status }) => [customerId, status]))
}
