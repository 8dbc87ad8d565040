import { z } from 'zod'
import { Units } from '#lib/money.ts'
import { Timestamp } from '#lib/time.ts'
import { TaxLine, TaxMode } from './orders.ts'

const Amount = Units.describe('In the smallest unit of the currency.')

/** All that is needed to read a receipt. */
export const ReceiptToken = z.string().regex(/^[\w-]{20,100}$/)

export const ReceiptStatus = z.enum([
  'confirming',
  'authorized',
  'paid',
  'partially_refunded',
  'refunded',
  'unpaid',
  'failed',
  'cancelled',
  'expired',
])
export type ReceiptStatus = z.output<typeof ReceiptStatus>

/** What anyone with its link sees: nothing personal. */
export const Receipt = z.object({
  status: ReceiptStatus.describe('`confirming`: the provider’s response isn’t there yet.'),
  shop: z.string().nullable(),
  number: z.string(),
  currency: z.string(),
  lines: z.array(z.object({ name: z.string(), quantity: z.int(), total: Amount })),
  discount: Amount,
  taxMode: TaxMode,
  taxes: z.array(TaxLine),
  total: Amount,
  paid: Amount,
  refunded: Amount,
  paidAt: Timestamp.nullable(),
})
export type Receipt = z.output<typeof Receipt>
