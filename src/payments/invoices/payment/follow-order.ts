import { and, eq, or, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { excessKind } from '../../notification-kinds.ts'
import { amountText } from '../../provider-amounts.ts'
import { invoices } from '../../schema.ts'
import { emitInvoiceChange } from '../events.ts'
import { publishInvoice } from '../invoices.topic.ts'
import { isPaid } from '../numbers/issue.ts'
import type { OrderRow } from '../rows.ts'

interface OrderChange {
  before: OrderRow
  after: OrderRow
}

/** Brings the invoice of a locked order to what was captured and refunded of it. */
export async function settleInvoice(
  tx: Database,
  work: EmitDependencies,
  { before, after }: OrderChange,
): Promise<void> {
  if (!isPaid(before) && isPaid(after)) await payInvoice(tx, work, after)
  if (before.captured !== after.captured || before.refunded !== after.refunded) await reportExcess(tx, after)
}

async function payInvoice(tx: Database, work: EmitDependencies, order: OrderRow): Promise<void> {
  const paid = await tx
    .update(invoices)
    .set({ status: 'paid', paidAt: order.paidAt, version: sql`${invoices.version} + 1` })
    .where(and(eq(invoices.orderId, order.id), eq(invoices.kind, 'invoice'), eq(invoices.status, 'open')))
    .returning()
  for (const invoice of paid) {
    await publishInvoice(work, tx, invoice)
    await emitInvoiceChange(tx, work, invoice, 'open')
  }
}

const causeOf = ({ id }: OrderRow): string => `payments.invoice-overpaid.${id}`

/** The buyer paid on a page that was open when the invoice was voided or marked as paid: people have to return it. */
async function reportExcess(tx: Database, order: OrderRow): Promise<void> {
  const [invoice] = await tx
    .select({ number: invoices.number, status: invoices.status })
    .from(invoices)
    .where(
      and(
        eq(invoices.orderId, order.id),
        eq(invoices.ownsOrder, true),
        or(eq(invoices.status, 'void'), eq(invoices.paidOutside, true)),
      ),
    )
  if (!invoice) return
  const left = order.captured - order.refunded
  if (left <= 0n) return resolveAction(tx, causeOf(order))
  await raiseAction(tx, {
    kind: excessKind,
    organizationId: order.organizationId,
    cause: causeOf(order),
    title: `Refund the payment of invoice ${invoice.number}`,
    reason: `The buyer paid ${amountText(left, order.currency)} online although the invoice ${invoice.status === 'void' ? 'is void' : 'was marked as paid'}. Refund order ${order.number}, and this disappears when the refund has succeeded.`,
    href: `/pay/orders/${order.id}`,
    actions: [{ label: 'Refund', method: 'GET', href: `/pay/orders/${order.id}`, style: 'primary' }],
  })
}
