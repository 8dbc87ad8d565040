import type { DatabaseHandle } from '#lib/db.ts'
import type { Caller } from './callers.ts'

export type InvoiceResource =
  | 'invoices'
  | 'invoicesToEdit'
  | 'invoicesToDelete'
  | 'invoicesToIssue'
  | 'invoicesToVoid'
  | 'invoicesToMark'
  | 'invoicesToPay'

const draft = {
  currency: 'EUR',
  taxMode: 'exclusive',
  lines: [{ name: 'Training', quantity: 2, unitAmount: 18_000, taxRate: '19' }],
  buyer: { name: 'Café Ostkreuz', email: 'einkauf@ostkreuz.example' },
}

/** Issued invoices, and drafts. */
export async function addInvoices({ fetchJson }: Caller): Promise<Record<InvoiceResource, string>> {
  const make = async (more: object = {}) =>
    (await fetchJson<{ id: string }>('POST /api/invoices', { ...draft, ...more }, 201)).id
  return {
    invoices: await make({ issue: true }),
    invoicesToEdit: await make(),
    invoicesToDelete: await make(),
    invoicesToIssue: await make(),
    invoicesToVoid: await make({ issue: true }),
    invoicesToMark: await make({ issue: true }),
    invoicesToPay: await make({ issue: true }),
  }
}

export async function findInvoiceToken({ sql }: Pick<DatabaseHandle, 'sql'>, id: string): Promise<string> {
  const [row] = await sql<{ token: string }[]>`SELECT token FROM payments.invoices WHERE id = ${id}`
  return row?.token ?? ''
}
