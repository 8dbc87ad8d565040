import { and, asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { newId, randomToken } from '#lib/ids.ts'
import type { InvoiceDraft, InvoiceEdit } from '../../contract/invoices.ts'
import { resolvePlace } from '../../orders/merchants.ts'
import { isInvoiceable } from '../../orders/states.ts'
import type { PricedLine, PricedOrder } from '../../orders/totals.ts'
import { invoiceLines, invoices, orderLines, orders } from '../../schema.ts'
import { resolveBuyer } from './buyer.ts'
import { priceInvoice } from './charges.ts'
import { isReverseCharge, readSeller } from './reverse-charge.ts'
import { publishInvoice } from '../invoices.topic.ts'
import { findInvoice, insertLines, lockWithOrder, requireDraft, type InvoiceRow, type OrderRow } from '../rows.ts'
import { requireVersion } from '../../version.ts'

export type InvoiceCall = Pick<Call<unknown, Actor>, 'actor' | 'db' | 'now' | 'events' | 'queue'>
export const permission = 'invoices:write'

const defaultPaymentDays = 14

type Content = Pick<
  InvoiceRow,
  | 'currency'
  | 'taxMode'
  | 'taxRounding'
  | 'reverseCharge'
  | 'reverseChargeWanted'
  | 'subtotal'
  | 'discount'
  | 'tax'
  | 'total'
  | 'customerId'
  | 'buyerName'
  | 'buyerEmail'
  | 'buyerTaxNumber'
  | 'buyerAddress'
  | 'language'
  | 'reference'
  | 'note'
  | 'paymentDays'
  | 'serviceFrom'
  | 'serviceTo'
>

/** @throws {Problem} 422, and 409 `order_invoiced` */
export async function createDraft(call: InvoiceCall, draft: InvoiceDraft): Promise<InvoiceRow> {
  const { actor, db, now } = call
  const organizationId = organizationOf(actor, permission)
  const order = draft.orderId === undefined ? null : await findInvoicedOrder(db, organizationId, draft.orderId)
  refuseOrderFields(draft, order)
  const merchantId = order?.merchantId ?? (await resolvePlace(db, organizationId, draft)).merchant.id
  const { content, lines } = await fill(db, { organizationId, merchantId, order }, draft)
  const [invoice] = await db
    .insert(invoices)
    .values({
      id: newId(),
      organizationId,
      merchantId,
      kind: 'invoice',
      orderId: order?.id ?? null,
      ...content,
      token: randomToken(),
      createdBy: actor.principal.id,
      createdAt: now(),
    })
    .onConflictDoNothing({ target: invoices.orderId, where: sql`kind = 'invoice' AND status <> 'void'` })
    .returning()
  if (!invoice) throw conflict('order_invoiced', 'This order already has an invoice.', { orderId: draft.orderId })
  await insertLines(db, invoice, lines)
  await publishInvoice(call, db, invoice)
  return invoice
}

/** Replaces a draft’s content. @param versions Of which it must have one. @throws {Problem} 404, 409, 422 */
export async function editDraft(
  call: InvoiceCall,
  { id, ...edit }: InvoiceEdit,
  versions: readonly number[] | null,
): Promise<InvoiceRow> {
  const { actor, db } = call
  const organizationId = organizationOf(actor, permission)
  const seen = await findInvoice(db, organizationId, id)
  const { invoice: before, order } = await lockWithOrder(db, seen)
  requireDraft(before)
  requireVersion(before, versions, 'this invoice')
  refuseOrderFields(edit, order)
  const { content, lines } = await fill(db, { organizationId, merchantId: before.merchantId, order }, edit)
  const [after] = await db
    .update(invoices)
    .set({ ...content, version: sql`${invoices.version} + 1` })
    .where(eq(invoices.id, id))
    .returning()
  if (!after) throw new Error('The locked invoice is gone')
  await db.delete(invoiceLines).where(eq(invoiceLines.invoiceId, id))
  await insertLines(db, after, lines)
  await publishInvoice(call, db, after)
  recordChange(db, { object: 'invoice', id, before: auditedFields(before), after: auditedFields(after) })
  return after
}

/** @throws {Problem} 404, 409 */
export async function deleteDraft(call: InvoiceCall, id: string): Promise<void> {
  const { actor, db } = call
  const { invoice } = await lockWithOrder(db, await findInvoice(db, organizationOf(actor, permission), id))
  requireDraft(invoice)
  await db.delete(invoices).where(eq(invoices.id, id))
  await publishInvoice(call, db, invoice)
  recordChange(db, { object: 'invoice', id, before: auditedFields(invoice) })
}

/** What the audit log tells of an invoice: no personal data, which can be erased elsewhere. */
export const auditedFields = ({ number, status, kind, currency, total, orderId, reverseCharge }: InvoiceRow) => ({
  number,
  status,
  kind,
  currency,
  total: Number(total),
  orderId,
  reverseCharge,
})

interface Seat {
  organizationId: string
  merchantId: string
  order: OrderRow | null
}

type Given = Omit<InvoiceDraft, 'orderId' | 'merchantId' | 'issue'>

async function fill(db: Database, { organizationId, merchantId, order }: Seat, given: Given): Promise<Filled> {
  const buyer = await resolveBuyer(db, organizationId, given, order)
  const reverseChargeWanted = given.reverseCharge ?? null
  const reverseCharge = isReverseCharge(
    {
      seller: await readSeller(db, merchantId),
      buyer: { taxNumber: buyer.buyerTaxNumber, address: buyer.buyerAddress },
      isTaxed: !order && (given.lines ?? []).some(({ taxRate }) => Number(taxRate ?? 0) > 0),
    },
    reverseChargeWanted,
  )
  const { lines, ...totals } = order
    ? await chargesOfOrder(db, order, reverseCharge)
    : priceInvoice(requireCharges(given), reverseCharge)
  const { serviceFrom = null, serviceTo = null } = given
  if (serviceFrom !== null && serviceTo !== null && serviceTo < serviceFrom)
    throw invalid([{ path: 'serviceTo', message: 'Must not be before serviceFrom.' }])
  return {
    lines,
    content: {
      currency: order?.currency ?? given.currency ?? '',
      taxMode: order?.taxMode ?? given.taxMode,
      taxRounding: order?.taxRounding ?? given.taxRounding,
      reverseCharge,
      reverseChargeWanted,
      ...totals,
      ...buyer,
      reference: given.reference ?? null,
      note: given.note ?? null,
      paymentDays: given.paymentDays ?? defaultPaymentDays,
      serviceFrom,
      serviceTo,
    },
  }
}

interface Filled {
  content: Content
  lines: PricedLine[]
}

function requireCharges({ currency, lines, ...rest }: Given) {
  if (lines === undefined) throw invalid([{ path: 'lines', message: 'Add at least one line, or send orderId.' }])
  if (currency === undefined) throw invalid([{ path: 'currency', message: 'Choose a currency.' }])
  return { ...rest, currency, lines }
}

function refuseOrderFields(given: Partial<InvoiceDraft>, order: OrderRow | null): void {
  if (!order) return
  const sent = (['lines', 'currency', 'discount', 'merchantId'] as const).filter((name) => given[name] !== undefined)
  if (sent.length > 0)
    throw invalid(sent.map((path) => ({ path, message: 'An order’s invoice takes this from the order.' })))
}

async function findInvoicedOrder(db: Database, organizationId: string, id: string): Promise<OrderRow> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.organizationId, organizationId)))
  if (!order) throw invalid([{ path: 'orderId', message: 'This order doesn’t exist.' }])
  if (!isInvoiceable(order.status))
    throw invalid([
      { path: 'orderId', message: `This order is ${order.status === 'expired' ? 'expired' : 'canceled'}.` },
    ])
  return order
}

async function chargesOfOrder(db: Database, order: OrderRow, mustBeUntaxed: boolean): Promise<PricedOrder> {
  const { subtotal, discount, tax, total } = order
  const lines = await db
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id))
    .orderBy(asc(orderLines.position))
  if (mustBeUntaxed && lines.some(({ taxRate }) => taxRate > 0))
    throw invalid([
      { path: 'reverseCharge', message: 'The order charges tax. Reverse charge needs an order without tax.' },
    ])
  return { lines, subtotal, discount, tax, total }
}
