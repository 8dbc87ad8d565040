import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import { creditOrder } from '../credit-notes/credit.ts'
import { auditedFields, permission, type InvoiceCall } from '../drafts/draft.ts'
import { emitIssued } from '../events.ts'
import { requireSameTax } from '../drafts/reverse-charge.ts'
import { publishInvoice } from '../invoices.topic.ts'
import { assignNumber } from './number.ts'
import { findInvoice, invoiceState, lockWithOrder, requireDraft, type InvoiceRow, type OrderRow } from '../rows.ts'

/** @throws {Problem} 404, 409 `invoice_state`, `reverse_charge`, 422 */
export async function issueInvoice(call: InvoiceCall, id: string): Promise<InvoiceRow> {
  const { actor, db } = call
  const seen = await findInvoice(db, organizationOf(actor, permission), id)
  const { invoice: before, order } = await lockWithOrder(db, seen)
  requireDraft(before)
  if (order?.status === 'cancelled' || order?.status === 'expired')
    throw invoiceState(before, 'Its order was canceled or has expired, so it can’t be invoiced.')
  await requireSameTax(db, before)
  await publishInvoice(call, db, before)
  const after = await assignNumber(db, before, {
    at: call.now(),
    by: actor.principal.id,
    issued: stateBy(order, call.now()),
  })
  recordChange(db, { object: 'invoice', id, before: auditedFields(before), after: auditedFields(after) })
  await emitIssued(db, call, after)
  // It is of the whole order, so what was not captured or went back before is credited at once.
  for (const note of order ? await creditOrder(db, call, order) : [])
    recordChange(db, { object: 'invoice', id: note.id, after: auditedFields(note) })
  return after
}

const stateBy = (order: OrderRow | null, at: Date): Pick<InvoiceRow, 'status' | 'paidAt'> =>
  order && isPaid(order) ? { status: 'paid', paidAt: order.paidAt ?? at } : { status: 'open', paidAt: null }

/** Also in part: a capture is final. */
export const isPaid = ({ captured }: Pick<OrderRow, 'captured'>): boolean => captured > 0n
