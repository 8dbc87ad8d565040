import { and, eq, inArray, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { invoices, merchants, orders, settlements, venues } from '../schema.ts'

/** Numbers and names by the ID of an object. Customers have none here: reading them needs a permission of its own. */
export async function readObjectNames(
  db: Database,
  organizationId: string,
  references: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...references].filter((id) => Id.safeParse(id).success)
  if (ids.length === 0) return new Map()
  const rows = await unionAll(
    db
      .select({ id: sql<string>`${orders.id}::text`, name: sql<string>`${orders.number}` })
      .from(orders)
      .where(and(inArray(orders.id, ids), eq(orders.organizationId, organizationId))),
    db
      .select({ id: sql<string>`${invoices.id}::text`, name: sql<string>`coalesce(${invoices.number}, '')` })
      .from(invoices)
      .where(and(inArray(invoices.id, ids), eq(invoices.organizationId, organizationId))),
    db
      .select({ id: sql<string>`${merchants.id}::text`, name: sql<string>`${merchants.name}` })
      .from(merchants)
      .where(and(inArray(merchants.id, ids), eq(merchants.organizationId, organizationId))),
    db
      .select({ id: sql<string>`${venues.id}::text`, name: sql<string>`${venues.name}` })
      .from(venues)
      .where(and(inArray(venues.id, ids), eq(venues.organizationId, organizationId))),
    db
      .select({ id: sql<string>`${settlements.id}::text`, name: sql<string>`${settlements.batchId}` })
      .from(settlements)
      .where(and(inArray(settlements.id, ids), eq(settlements.organizationId, organizationId))),
  )
  return new Map(rows.filter(({ name }) => name !== '').map(({ id, name }) => [id, name]))
}
