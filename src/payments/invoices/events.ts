import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { Units } from '#lib/money.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import { InvoiceStatus } from '../contract/invoices.ts'
import type { InvoiceRow } from './rows.ts'

const permission = 'invoices:read'

const Issued = z.object({
  invoiceId: Id,
  merchantId: Id,
  orderId: Id.nullable(),
  customerId: Id.nullable(),
  number: z.string(),
  status: InvoiceStatus,
  currency: z.string(),
  total: Units,
  issuedOn: z.iso.date(),
  dueOn: z.iso.date().nullable(),
})

const invoiceIssued = webhookEvent({
  type: 'invoice.issued',
  summary: 'An invoice got its number',
  permission,
  data: Issued,
})

const invoiceUpdated = webhookEvent({
  type: 'invoice.updated',
  summary: 'An invoice was paid or voided',
  permission,
  data: Issued.extend({ previousStatus: InvoiceStatus }),
})

const creditNoteIssued = webhookEvent({
  type: 'credit_note.issued',
  summary: 'A credit note corrects an invoice',
  permission,
  data: Issued.omit({ status: true, dueOn: true }).extend({ creditNoteId: Id, refundId: Id.nullable() }),
})

export const invoiceEvents = [invoiceIssued, invoiceUpdated, creditNoteIssued]

/** Of an issued one, on the transaction that gave it its number. */
export async function emitIssued(tx: Database, emitting: EmitDependencies, invoice: InvoiceRow): Promise<void> {
  const { id, organizationId, kind } = invoice
  const data = issuedFields(invoice)
  await (kind === 'credit_note'
    ? emitWebhook(tx, emitting, {
        organizationId,
        event: creditNoteIssued,
        data: { ...data, creditNoteId: id, invoiceId: invoice.invoiceId ?? '' },
      })
    : emitWebhook(tx, emitting, { organizationId, event: invoiceIssued, data: { ...data, invoiceId: id } }))
}

/** Of an issued one, on the transaction of the change. */
export const emitInvoiceChange = (
  tx: Database,
  emitting: EmitDependencies,
  invoice: InvoiceRow,
  previousStatus: InvoiceStatus,
): Promise<void> =>
  emitWebhook(tx, emitting, {
    organizationId: invoice.organizationId,
    event: invoiceUpdated,
    data: { ...issuedFields(invoice), invoiceId: invoice.id, previousStatus },
  })

function issuedFields(invoice: InvoiceRow) {
  const { number, issuedOn } = invoice
  if (number === null || issuedOn === null) throw new Error('The invoice isn’t issued')
  return { ...invoice, number, issuedOn }
}
