import { eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { wallTime } from '#lib/time.ts'
import { findOrder } from '../../orders/read.ts'
import { isPayable } from '../../orders/states.ts'
import { closeOrder } from '../../orders/cancel.ts'
import { invoices } from '../../schema.ts'
import { issueCreditNote } from '../credit-notes/credit.ts'
import { auditedFields, permission } from '../drafts/draft.ts'
import { emitInvoiceChange } from '../events.ts'
import { publishInvoice } from '../invoices.topic.ts'
import { findInvoice, invoiceState, lockWithOrder, type InvoiceRow, type OrderRow } from '../rows.ts'

type InvoicesCall = Call<unknown, Actor>

/** Its money came another way, such as by bank transfer. @throws {Problem} 404, 409 `invoice_state`, 422 */
export async function markPaid(
  call: InvoicesCall,
  { id, paidOn }: { id: string; paidOn?: string | undefined },
): Promise<void> {
  const at = call.now()
  const today = at.toISOString().slice(0, 10)
  if (paidOn !== undefined && paidOn > Temporal.PlainDate.from(today).add({ days: 1 }).toString())
    throw invalid([{ path: 'paidOn', message: 'Must not be in the future.' }])
  await end(call, id, (invoice, order) => {
    if (!canMarkPaid(invoice)) throw invoiceState(invoice, 'Only an open invoice can be marked as paid.')
    if (order && !invoice.ownsOrder)
      throw invoiceState(invoice, 'This invoice follows its order: it is paid as soon as the order is.')
    return { status: 'paid', paidOutside: true, paidAt: paidOn === undefined ? at : wallTime(`${paidOn}T12:00`, 'UTC') }
  })
}

export const canMarkPaid = ({ kind, status }: InvoiceRow): boolean => kind === 'invoice' && status === 'open'

interface Voiding {
  id: string
  reason: string
  creditNote?: boolean | undefined
}

/** It keeps its number. @throws {Problem} 404, 409 `invoice_state` */
export async function voidInvoice(call: InvoicesCall, { id, reason, creditNote = false }: Voiding): Promise<void> {
  await end(
    call,
    id,
    (invoice) => {
      if (!canVoid(invoice))
        throw invoiceState(invoice, 'A paid invoice can’t be voided. Refund its order, which issues a credit note.')
      return { status: 'void', voidedAt: call.now(), voidReason: reason }
    },
    creditNote ? reason : null,
  )
}

/** Also one that was wrongly marked as paid. */
export const canVoid = ({ kind, status, paidOutside }: InvoiceRow): boolean =>
  kind === 'invoice' && (status === 'open' || (status === 'paid' && paidOutside))

type State = Partial<Pick<InvoiceRow, 'status' | 'paidOutside' | 'paidAt' | 'voidedAt' | 'voidReason'>>

/** The order that was only made to pay it is closed first, at the provider too. */
async function end(
  call: InvoicesCall,
  id: string,
  decide: (invoice: InvoiceRow, order: OrderRow | null) => State,
  creditFor: string | null = null,
): Promise<void> {
  const { db, actor } = call
  const seen = await findInvoice(db, organizationOf(actor, permission), id)
  const by = actor.principal.id
  const ownOrder =
    seen.ownsOrder && seen.orderId !== null ? await findOrder(db, seen.organizationId, seen.orderId) : null
  decide(seen, seen.orderId === null ? null : await findOrder(db, seen.organizationId, seen.orderId))
  if (ownOrder && isPayable(ownOrder.status)) await closeOrder(call, ownOrder, 'cancelled', { by, forInvoice: true })
  await auditedTransaction(call, async (tx) => {
    const { invoice: before, order } = await lockWithOrder(tx, seen)
    const state = decide(before, order)
    const [after] = await tx
      .update(invoices)
      .set({ ...state, version: sql`${invoices.version} + 1` })
      .where(eq(invoices.id, id))
      .returning()
    if (!after) throw new Error('The locked invoice is gone')
    recordChange(tx, { object: 'invoice', id, before: auditedFields(before), after: auditedFields(after) })
    await publishInvoice(call, tx, after)
    await emitInvoiceChange(tx, call, after, before.status)
    if (creditFor === null) return
    const amount = after.total - after.credited
    const note = await issueCreditNote(tx, call, after, { amount, parts: [], refundId: null, reason: creditFor, by })
    recordChange(tx, { object: 'invoice', id: note.id, after: auditedFields(note) })
  })
}
