import { and, asc, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { conflict, notFound, type Problem } from '#lib/errors.ts'
import { invoiceLines, invoices, orders } from '../schema.ts'
import type { PricedLine } from '../orders/totals.ts'

export type InvoiceRow = typeof invoices.$inferSelect
export type InvoiceLineRow = typeof invoiceLines.$inferSelect
export type OrderRow = typeof orders.$inferSelect

/** @throws {Problem} 404 for another organization’s */
export async function findInvoice(db: Database, organizationId: string, id: string): Promise<InvoiceRow> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.id, id), eq(invoices.organizationId, organizationId)))
  if (!row) throw notFound('invoice')
  return row
}

/** Without its order: only for what doesn’t lock one afterwards. @throws {Problem} 404 when it was deleted */
export async function lockInvoice(tx: Database, id: string): Promise<InvoiceRow> {
  const [invoice] = await tx.select().from(invoices).where(eq(invoices.id, id)).for('update')
  if (!invoice) throw notFound('invoice')
  return invoice
}

/**
 * Its order first, as everything that changes orders does.
 * @throws {Problem} 404 when it was deleted, 409 when it has got another order since it was read: that one isn’t locked
 */
export async function lockWithOrder(
  tx: Database,
  { id, orderId }: Pick<InvoiceRow, 'id' | 'orderId'>,
): Promise<{ invoice: InvoiceRow; order: OrderRow | null }> {
  const order = orderId === null ? null : await lockOrder(tx, orderId)
  const invoice = await lockInvoice(tx, id)
  if (invoice.orderId !== orderId) throw invoiceState(invoice, 'A payment of this invoice was just started. Try again.')
  return { invoice, order }
}

async function lockOrder(tx: Database, id: string): Promise<OrderRow | null> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, id)).for('update')
  return order ?? null
}

export const readLines = (db: Database, invoiceId: string): Promise<InvoiceLineRow[]> =>
  db.select().from(invoiceLines).where(eq(invoiceLines.invoiceId, invoiceId)).orderBy(asc(invoiceLines.position))

export async function insertLines(
  tx: Database,
  { id, organizationId }: Pick<InvoiceRow, 'id' | 'organizationId'>,
  lines: readonly PricedLine[],
): Promise<void> {
  await tx.insert(invoiceLines).values(
    lines.map(({ position, name, quantity, unitAmount, discount, taxRate, tax, total }) => ({
      invoiceId: id,
      organizationId,
      position,
      name,
      quantity,
      unitAmount,
      discount,
      taxRate,
      tax,
      total,
    })),
  )
}

/** @throws {Problem} 409 */
export function requireDraft(invoice: Pick<InvoiceRow, 'status' | 'number'>): void {
  if (invoice.status !== 'draft')
    throw invoiceState(invoice, 'An issued invoice can’t be changed. Void it, and issue another one.')
}

export const invoiceState = ({ status, number }: Pick<InvoiceRow, 'status' | 'number'>, detail: string): Problem =>
  conflict('invoice_state', detail, { state: status, number })
