import { eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { createPayment } from '../../checkout/create.ts'
import { emitOrderChange } from '../../events.ts'
import { insertOrder } from '../../orders/insert.ts'
import { requirePayable as requireProvided } from '../../provider-amounts.ts'
import { publishOrder } from '../../orders/orders.topic.ts'
import { customers, invoices, type orderPayments } from '../../schema.ts'
import { permission } from '../drafts/draft.ts'
import { publishInvoice } from '../invoices.topic.ts'
import { findInvoice, invoiceState, lockInvoice, readLines, type InvoiceRow } from '../rows.ts'

type InvoicesCall = Call<unknown, Actor>

export const canPay = ({ kind, status }: InvoiceRow): boolean => kind === 'invoice' && status === 'open'

/**
 * The page to pay an open invoice on, of its order, which is created for an invoice without one.
 * @throws {Problem} 404, 409 `invoice_state`, and those of `createPayment`
 */
export async function createPaymentLink(call: InvoicesCall, id: string): Promise<typeof orderPayments.$inferSelect> {
  const seen = await findInvoice(call.db, organizationOf(call.actor, permission), id)
  requirePayable(seen)
  requireProvided(seen)
  const orderId = seen.orderId ?? (await auditedTransaction(call, (tx) => createOrderOf({ ...call, db: tx }, seen)))
  const { payment } = await createPayment(call, { orderId, mode: 'link', captureMethod: 'automatic' })
  return payment
}

function requirePayable(invoice: InvoiceRow): void {
  if (!canPay(invoice)) throw invoiceState(invoice, 'Only an open invoice can be paid.')
}

async function createOrderOf(
  call: Pick<InvoicesCall, 'db' | 'actor' | 'now' | 'events' | 'queue'>,
  seen: InvoiceRow,
): Promise<string> {
  const { db: tx, actor, now } = call
  const payer = await readPayer(tx, seen)
  const invoice = await lockInvoice(tx, seen.id)
  if (invoice.orderId !== null) return invoice.orderId
  requirePayable(invoice)
  const id = newId()
  await publishOrder(call, tx, { organizationId: invoice.organizationId, id })
  await publishInvoice(call, tx, invoice)
  const lines = await readLines(tx, invoice.id)
  const { organizationId, merchantId, currency, taxMode, taxRounding, subtotal, discount, tax, total } = invoice
  const order = await insertOrder(
    tx,
    {
      id,
      organizationId,
      merchantId,
      venueId: null,
      currency,
      taxMode,
      taxRounding,
      subtotal,
      discount,
      tax,
      total,
      ...payer,
      metadata: { invoice: invoice.number ?? '' },
      expiresAt: null,
      createdBy: actor.principal.id,
      createdAt: now(),
    },
    lines,
  )
  await tx
    .update(invoices)
    .set({ orderId: id, ownsOrder: true, version: sql`${invoices.version} + 1` })
    .where(eq(invoices.id, invoice.id))
  await emitOrderChange(tx, call, order, null)
  recordChange(tx, {
    object: 'order',
    id,
    after: { number: order.number, currency, total: Number(total), invoice: invoice.number },
  })
  return id
}

/** An erased customer stays a pseudonym; the row is locked against a concurrent erasure. */
async function readPayer(tx: Database, { customerId, buyerEmail, buyerName }: InvoiceRow) {
  const named = { customerId, customerEmail: buyerEmail, customerName: buyerName }
  if (customerId === null) return named
  const [customer] = await tx
    .select({ erasedAt: customers.erasedAt })
    .from(customers)
    .where(eq(customers.id, customerId))
    .for('share')
  return customer?.erasedAt ? { customerId, customerEmail: null, customerName: null } : named
}
