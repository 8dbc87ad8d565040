import { z } from 'zod'
import { InvoiceDetails } from '../../contract/invoices.ts'
import { Statement } from '../../contract/reports.ts'

/** All that a document shows. It doesn’t change once the invoice is issued. */
const InvoiceDocument = InvoiceDetails.pick({
  kind: true,
  number: true,
  currency: true,
  language: true,
  createdAt: true,
  issuedAt: true,
  issuedOn: true,
  dueOn: true,
  serviceFrom: true,
  serviceTo: true,
  paymentDays: true,
  seller: true,
  buyer: true,
  lines: true,
  taxMode: true,
  taxes: true,
  reverseCharge: true,
  subtotal: true,
  discount: true,
  tax: true,
  total: true,
  reference: true,
  note: true,
  reason: true,
  original: true,
})
export type DrawnInvoice = z.input<typeof InvoiceDocument>

const cjkFont = z.string().optional().describe('The path of a font.')
const Message = z.union([
  z.strictObject({ invoice: InvoiceDocument, isVoid: z.boolean().describe('Marked so.'), cjkFont }),
  z.strictObject({ statement: Statement, accountNames: z.record(z.string(), z.string()), cjkFont }),
])
export type Drawing = z.input<typeof Message>

/** For the process that draws. */
export const encodeMessage = (drawing: Drawing): string => JSON.stringify(z.parse(Message, drawing))

/** @throws {z.ZodError} for anything else than a message */
export const decodeMessage = (text: string): Drawing =>
  z.encode(Message, z.custom<z.output<typeof Message>>().parse(JSON.parse(text)))
