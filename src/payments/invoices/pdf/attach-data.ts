import type { DrawnInvoice } from './message.ts'
import type { Sheet } from './sheet.ts'

const fields = [
  ...(['number', 'kind', 'currency', 'issuedOn', 'dueOn', 'serviceFrom', 'serviceTo', 'reference', 'note'] as const),
  ...(['reason', 'reverseCharge', 'taxMode', 'original', 'seller', 'buyer', 'subtotal', 'discount', 'tax'] as const),
  ...(['total', 'taxes'] as const),
] satisfies (keyof DrawnInvoice)[]

const lineFields = ['position', 'name', 'quantity', 'unitAmount', 'discount', 'taxRate', 'tax', 'total'] as const

/** What programs read: without the state, which changes after the invoice was issued. */
export function attachData({ document }: Sheet, invoice: DrawnInvoice, createdAt: Date): void {
  const data = {
    ...Object.fromEntries(fields.map((name) => [name, invoice[name]])),
    lines: invoice.lines.map((line) => Object.fromEntries(lineFields.map((name) => [name, line[name]]))),
  }
  const json = JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value), 2)
  const options = {
    name: 'invoice.json',
    type: 'application/json',
    description: 'Data of the invoice',
    relationship: 'Data',
    creationDate: createdAt,
    modifiedDate: createdAt,
  }
  document.file(Buffer.from(json), options)
}
