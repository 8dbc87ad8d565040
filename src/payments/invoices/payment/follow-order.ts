import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import { invoices } from '../../schema.ts'
import { publishInvoice } from '../invoices.topic.ts'
import { isPaid } from '../numbers/issue.ts'
import type { OrderRow } from '../rows.ts'

/** Its invoice is paid as soon as the whole order, which is locked, is captured. */
export async function settleInvoice(
  tx: Database,
  work: { events: Events },
  { before, after }: { before: OrderRow; after: OrderRow },
): Promise<void> {
  if (isPaid(before) || !isPaid(after)) return
  const paid = await tx
    .update(invoices)
    .set({ status: 'paid', paidAt: after.paidAt, version: sql`${invoices.version} + 1` })
    .where(and(eq(invoices.orderId, after.id), eq(invoices.kind, 'invoice'), eq(invoices.status, 'open')))
    .returning()
  for (const invoice of paid) await publishInvoice(work, tx, invoice)
}
