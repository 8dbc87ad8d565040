import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { keyset } from '#lib/paginate.ts'
import { Instant } from '#lib/time.ts'
import type { SubscriptionInvoiceFilter, SubscriptionInvoiceList } from '../contract/subscriptions.ts'
import { subscriptionInvoices } from '../schema.ts'
import { findSubscription } from './rows.ts'

const newest = keyset(
  {
    issuedAt: [subscriptionInvoices.issuedAt, Instant],
    id: [subscriptionInvoices.id, Id],
  },
  'desc',
)

/** The newest first. @throws {Problem} 404 */
export async function listInvoices(
  db: Database,
  { id, limit, cursor }: z.output<typeof SubscriptionInvoiceFilter>,
): Promise<z.input<typeof SubscriptionInvoiceList>> {
  const { id: subscriptionId } = await findSubscription(db, id)
  const slice = newest.slice({ limit, ...(cursor !== undefined && { cursor }) })
  const rows = await db
    .select()
    .from(subscriptionInvoices)
    .where(and(eq(subscriptionInvoices.subscriptionId, subscriptionId), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  return { items: items.map((row) => ({ ...row, total: Number(row.total) })), nextCursor }
}
