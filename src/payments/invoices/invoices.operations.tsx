import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream, type Reply } from '#lib/reply.ts'
import { expectedVersions } from '#lib/request/if-match.ts'
import { InvoiceFilters } from '#views/payments/invoices/filters.tsx'
import { InvoiceSummaryCard } from '#views/payments/invoices/summary.tsx'
import { InvoiceTable } from '#views/payments/invoices/table.tsx'
import { InvoiceTabs } from '#views/payments/invoices/tabs.tsx'
import { InvoiceView } from '#views/payments/invoices/invoice.tsx'
import {
  InvoiceCounts,
  InvoiceDetails,
  InvoiceDraft,
  InvoiceEdit,
  InvoiceFilter,
  InvoiceFilterOptions,
  InvoiceList,
  InvoiceNumbering,
  InvoicePayment,
  InvoicePaymentLink,
  InvoiceSending,
  InvoiceSummary,
  InvoiceVoid,
} from '../contract/invoices.ts'
import { ReceiptToken } from '../contract/receipts.ts'
import { providerProblems } from '../provider-problems.ts'
import { markPaid, voidInvoice as endInvoice } from './payment/close.ts'
import { auditedFields, createDraft, deleteDraft, editDraft } from './drafts/draft.ts'
import { listFilterOptions } from './filter-options.ts'
import { issueInvoice as issue } from './numbers/issue.ts'
import { countInvoices, exportInvoiceLines, listInvoiceRows, sumOpen } from './list.ts'
import { readSeries, verifyNumbering } from './numbers/numbering.ts'
import { readDocument, readSentDocument } from './pdf/document.ts'
import { drawingProblems } from './pdf/draw.ts'
import { createPaymentLink } from './payment/payment-link.ts'
import { readChanged, readInvoice } from './read.ts'
import { sendInvoice as send } from './payment/send.ts'

type InvoicesCall = Call<unknown, Actor>

const timeout = ({ config }: Pick<InvoicesCall, 'config'>): number => 4 * config.PAYMENTS_TIMEOUT_MS + 10_000
const One = z.object({ id: Id })

async function shown(
  call: InvoicesCall,
  id: string,
  toast: string,
  status: 200 | 201 = 200,
): Promise<Reply<z.input<typeof InvoiceDetails>>> {
  const invoice = await readChanged(call, id)
  return reply(status, invoice, { next: `/pay/invoices/${id}`, toast, headers: { ETag: `"${invoice.version}"` } })
}

export const createInvoice = operation({
  route: 'POST /api/invoices',
  summary: 'Create an invoice',
  permission: 'invoices:write',
  machine: true,
  creates: true,
  input: InvoiceDraft,
  output: InvoiceDetails,
  problems: { order_invoiced: 409, invoice_state: 409 },
  example: { currency: 'EUR', lines: [{ name: 'Barista training', quantity: 2, unitAmount: 18_000, taxRate: '19' }] },
  run: async (call) => {
    const draft = await createDraft(call, call.input)
    if (call.input.issue === true) await issue(call, draft.id)
    else recordChange(call.db, { object: 'invoice', id: draft.id, after: auditedFields(draft) })
    return shown(call, draft.id, call.input.issue === true ? 'Invoice issued' : 'Draft created', 201)
  },
})

export const listInvoices = operation({
  route: 'GET /api/invoices',
  summary: 'List invoices and credit notes',
  permission: 'invoices:read',
  machine: true,
  input: InvoiceFilter,
  output: InvoiceList,
  run: async (call) => {
    const [list, serviceId] = await Promise.all([
      listInvoiceRows(call, call.input),
      call.identity.serviceId('platform-pay'),
    ])
    return { ...list, can: { create: isAllowed(call.actor, 'invoices:write', serviceId) } }
  },
  view: (list, { input, actor }) => <InvoiceTable list={list} query={input} organizationId={actor.organization?.id} />,
})

const Conditions = InvoiceFilter.omit({ limit: true, cursor: true })

export const exportInvoices = operation({
  route: 'GET /api/invoices/export',
  summary: 'Export invoices and credit notes as CSV',
  permission: 'invoices:read',
  input: Conditions,
  output: z.null(),
  streams: 'text/csv',
  run: async (call) =>
    stream(exportInvoiceLines(call, call.input), 'text/csv; charset=utf-8; header=present', {
      headers: { 'Content-Disposition': 'attachment; filename="invoices.csv"' },
    }),
})

export const getInvoiceFilterOptions = operation({
  route: 'GET /api/invoices/filter-options',
  summary: 'Get what invoices can be filtered by',
  permission: 'invoices:read',
  input: Conditions,
  output: InvoiceFilterOptions,
  run: ({ db, actor }) => listFilterOptions(db, actor),
  view: (options, { input }) => <InvoiceFilters options={options} filter={input} />,
})

export const getInvoiceCounts = operation({
  route: 'GET /api/invoices/counts',
  summary: 'Get invoice counts by status',
  permission: 'invoices:read',
  input: Conditions,
  output: InvoiceCounts,
  run: (call) => countInvoices(call, call.input),
  view: (counts, { input, actor }) => (
    <InvoiceTabs counts={counts} filter={input} organizationId={actor.organization?.id} />
  ),
})

export const getInvoiceSummary = operation({
  route: 'GET /api/invoices/summary',
  summary: 'Get open and overdue sums of invoices',
  permission: 'invoices:read',
  input: z.object({}),
  output: InvoiceSummary,
  run: async (call) => {
    const [sums, numbering] = await Promise.all([
      sumOpen(call),
      readSeries(call.db, organizationOf(call.actor, 'invoices:read')),
    ])
    return { ...sums, numbering }
  },
  view: (summary, { actor }) => <InvoiceSummaryCard summary={summary} organizationId={actor.organization?.id} />,
})

export const getInvoiceNumbering = operation({
  route: 'GET /api/invoices/numbering',
  summary: 'Verify that invoice numbers have no gaps',
  permission: 'invoices:read',
  machine: true,
  limit: 'checks',
  input: z.object({}),
  output: InvoiceNumbering,
  run: ({ db, actor }) => verifyNumbering(db, organizationOf(actor, 'invoices:read')),
})

export const getInvoice = operation({
  route: 'GET /api/invoices/:id',
  summary: 'Get an invoice or credit note',
  permission: 'invoices:read',
  machine: true,
  input: One,
  output: InvoiceDetails,
  run: async (call) => {
    const invoice = await readInvoice(call, call.input.id)
    return reply(200, invoice, { headers: { ETag: `"${invoice.version}"` } })
  },
  view: (invoice, { actor }) => <InvoiceView invoice={invoice} organizationId={actor.organization?.id} />,
})

export const getInvoicePdf = operation({
  route: 'GET /api/invoices/:id/pdf',
  summary: 'Get an invoice or credit note as PDF/A-3',
  permission: 'invoices:read',
  input: One,
  output: z.null(),
  streams: 'application/pdf',
  ranges: true,
  problems: drawingProblems,
  run: (call) => readDocument(call, call.input.id),
})

export const getSentInvoicePdf = operation({
  route: 'GET /api/pay/invoices/:token/pdf',
  summary: 'Get the PDF of a sent invoice',
  permission: 'public',
  input: z.object({ token: ReceiptToken }),
  output: z.null(),
  streams: 'application/pdf',
  ranges: true,
  problems: drawingProblems,
  run: (call) => readSentDocument(call, call.input.token),
})

const changing = { permission: 'invoices:write', machine: true, output: InvoiceDetails } as const
const atProvider = { ...changing, transaction: false, timeout } as const

export const updateInvoice = operation({
  ...changing,
  route: 'PUT /api/invoices/:id',
  summary: 'Replace a draft',
  ifMatch: true,
  input: InvoiceEdit,
  problems: { invoice_state: 409, version_conflict: 409 },
  run: async (call) => {
    await editDraft(call, call.input, expectedVersions(call.request.headers))
    return shown(call, call.input.id, 'Draft saved')
  },
})

export const deleteInvoice = operation({
  route: 'DELETE /api/invoices/:id',
  summary: 'Delete a draft',
  permission: 'invoices:write',
  machine: true,
  input: One,
  output: z.null(),
  problems: { invoice_state: 409 },
  run: async (call) => {
    await deleteDraft(call, call.input.id)
    return reply(204, null, { next: '/pay/invoices', toast: 'Draft deleted' })
  },
})

export const issueInvoice = operation({
  ...changing,
  route: 'POST /api/invoices/:id/issue',
  summary: 'Issue a draft under the next number',
  input: One,
  problems: { invoice_state: 409, reverse_charge: 409 },
  run: async (call) => {
    await issue(call, call.input.id)
    return shown(call, call.input.id, 'Invoice issued')
  },
})

export const voidInvoice = operation({
  ...atProvider,
  route: 'POST /api/invoices/:id/void',
  summary: 'Void an invoice that isn’t paid',
  input: InvoiceVoid,
  problems: { ...providerProblems, invoice_state: 409, order_state: 409, payment_busy: 409 },
  run: async (call) => {
    await endInvoice(call, call.input)
    return shown(call, call.input.id, 'Invoice voided')
  },
})

export const markInvoicePaid = operation({
  ...atProvider,
  route: 'POST /api/invoices/:id/paid',
  summary: 'Mark an invoice as paid',
  input: InvoicePayment,
  problems: { ...providerProblems, invoice_state: 409, order_state: 409, payment_busy: 409 },
  run: async (call) => {
    await markPaid(call, call.input)
    return shown(call, call.input.id, 'Marked as paid')
  },
})

export const sendInvoice = operation({
  ...atProvider,
  route: 'POST /api/invoices/:id/send',
  summary: 'Send an invoice by email',
  input: InvoiceSending,
  problems: { ...providerProblems, invoice_state: 409, too_many_mails: 429 },
  run: async (call) => {
    await send(call, call.input)
    return shown(call, call.input.id, 'Invoice sent')
  },
})

export const createInvoicePaymentLink = operation({
  route: 'POST /api/invoices/:id/payment-link',
  summary: 'Create a payment link for an invoice',
  permission: 'invoices:write',
  machine: true,
  transaction: false,
  timeout,
  input: One,
  output: InvoicePaymentLink,
  problems: { ...providerProblems, invoice_state: 409, order_state: 409, payment_authorized: 409, payment_busy: 409 },
  run: async (call) => {
    const { orderId, url, status } = await createPaymentLink(call, call.input.id)
    return reply(
      200,
      { orderId, url: status === 'requires_action' ? url : null },
      { next: `/pay/orders/${orderId}`, toast: 'Payment link created' },
    )
  },
})
