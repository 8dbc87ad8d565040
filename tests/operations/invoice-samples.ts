import type { World } from '../support/world.ts'
import type { Input } from './samples.ts'

const lines = [{ name: 'Training', quantity: 2, unitAmount: 18_000, taxRate: '19' }]

export const invoiceSamples: Record<string, (resources: World['ada']['things'], world: World) => Input[]> = {
  createInvoice: () => [
    { currency: 'EUR', lines },
    { currency: 'JPY', lines: [{ name: 'Kenya', price: '3200' }], taxMode: 'inclusive', issue: true, paymentDays: 30 },
  ],
  listInvoices: () => [{}, { status: 'open', q: 'INV', from: '2026-11-01', to: '2026-11-30', limit: 1 }],
  getInvoiceCounts: () => [{ status: 'paid' }],
  getInvoice: ({ invoices }) => [{ id: invoices }],
  getInvoicePdf: ({ invoices }) => [{ id: invoices }],
  getSentInvoicePdf: (_, { invoiceToken }) => [{ token: invoiceToken }],
  updateInvoice: ({ invoicesToEdit }) => [{ id: invoicesToEdit, currency: 'EUR', lines, note: 'Thank you' }],
  deleteInvoice: ({ invoicesToDelete }) => [{ id: invoicesToDelete }],
  issueInvoice: ({ invoicesToIssue }) => [{ id: invoicesToIssue }],
  voidInvoice: ({ invoicesToVoid }) => [{ id: invoicesToVoid, reason: 'Wrong address' }],
  markInvoicePaid: ({ invoicesToMark }) => [{ id: invoicesToMark }],
  sendInvoice: ({ invoices }) => [{ id: invoices, to: 'einkauf@ostkreuz.example' }],
  createInvoicePaymentLink: ({ invoicesToPay }) => [{ id: invoicesToPay }],
}
