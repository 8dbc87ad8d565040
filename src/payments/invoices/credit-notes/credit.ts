import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId, randomToken } from '#lib/ids.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { invoiceLines, invoices, orderPayments, refunds, type orders } from '../../schema.ts'
import { percentOf } from '../../orders/totals.ts'
import { creditLines } from './credit-lines.ts'
import { emitIssued } from '../events.ts'
import { publishInvoice } from '../invoices.topic.ts'
import { assignNumber } from '../numbers/number.ts'
import { wordsOf } from '../pdf/words.ts'
import { insertLines, readLines, type InvoiceRow } from '../rows.ts'

/**
 * Credit notes for the refunds of a locked order that succeeded (PAY-35), and for what was not captured of it, when it has
 * an invoice. Refunds that failed
 * after they had succeeded leave their credit note, which then covers the next refund. Each takes a number: call it last.
 */
export async function creditOrder(
  tx: Database,
  work: EmitDependencies,
  order: Pick<typeof orders.$inferSelect, 'id' | 'total' | 'captured' | 'refunded'>,
): Promise<InvoiceRow[]> {
  const [invoice] = await tx
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.orderId, order.id),
        eq(invoices.kind, 'invoice'),
        inArray(invoices.status, ['open', 'paid']),
        // What was paid beside it isn’t its money.
        eq(invoices.paidOutside, false),
      ),
    )
    .for('update')
  if (!invoice) return []
  const succeeded = await tx
    .select({ id: refunds.id, amount: refunds.amount, lines: refunds.lines })
    .from(refunds)
    .innerJoin(orderPayments, eq(orderPayments.id, refunds.paymentId))
    // What was paid twice was never invoiced.
    .where(and(eq(refunds.orderId, order.id), eq(refunds.status, 'succeeded'), isNull(orderPayments.duplicateOf)))
    .orderBy(asc(refunds.id))
  const known = await tx
    .select({ refundId: invoices.refundId })
    .from(invoices)
    .where(eq(invoices.invoiceId, invoice.id))
  const isKnown = (id: string | null) => known.some(({ refundId }) => refundId === id)
  const released = releasedOf(order)
  const due: Credit[] = succeeded
    .filter(({ id }) => !isKnown(id))
    .map(({ id, amount, lines }) => ({ amount, parts: lines, refundId: id, reason: null, by: null }))
  if (released > 0n && !isKnown(null)) {
    const reason = wordsOf(invoice.language).notCharged
    due.unshift({ amount: released, parts: [], refundId: null, reason, by: null })
  }
  const notes: InvoiceRow[] = []
  let { credited } = invoice
  for (const credit of due) {
    const amount = smallest(credit.amount, released + order.refunded - credited, invoice.total - credited)
    if (amount <= 0n) continue
    notes.push(await issueCreditNote(tx, work, invoice, { ...credit, amount }))
    credited += amount
  }
  return notes
}

/** What is never paid: a capture is final. */
export const releasedOf = ({ captured, total }: Pick<typeof orders.$inferSelect, 'captured' | 'total'>): bigint =>
  captured > 0n && captured < total ? total - captured : 0n

const smallest = (...amounts: readonly bigint[]): bigint =>
  amounts.reduce((least, each) => (each < least ? each : least))

interface Credit {
  amount: bigint
  parts: readonly { position: number; amount: number }[]
  refundId: string | null
  reason: string | null
  by: string | null
}

/** Of a locked invoice. It takes the next number of its series, so call it last. */
export async function issueCreditNote(
  tx: Database,
  work: EmitDependencies,
  invoice: InvoiceRow,
  { amount, parts, refundId, reason, by }: Credit,
): Promise<InvoiceRow> {
  const at = work.now()
  const lines = creditLines(await readLines(tx, invoice.id), await readCredited(tx, invoice.id), { amount, parts })
  const tax = lines.reduce((sum, line) => sum + line.tax, 0n)
  await tx
    .update(invoices)
    .set({ credited: sql`${invoices.credited} + ${amount}`, version: sql`${invoices.version} + 1` })
    .where(eq(invoices.id, invoice.id))
  const { organizationId, merchantId, currency, taxRounding, reverseCharge, customerId, language } = invoice
  const { buyerName, buyerEmail, buyerTaxNumber, buyerAddress, reference } = invoice
  const [note] = await tx
    .insert(invoices)
    .values({
      id: newId(),
      organizationId,
      merchantId,
      kind: 'credit_note',
      orderId: invoice.orderId,
      invoiceId: invoice.id,
      refundId,
      customerId,
      currency,
      taxMode: 'inclusive',
      taxRounding,
      reverseCharge,
      subtotal: amount,
      discount: 0n,
      tax,
      total: amount,
      language,
      buyerName,
      buyerEmail,
      buyerTaxNumber,
      buyerAddress,
      reference,
      reason,
      paymentDays: 0,
      token: randomToken(),
      createdBy: by,
      createdAt: at,
    })
    .returning()
  if (!note) throw new Error('The credit note was not inserted')
  await insertLines(
    tx,
    note,
    lines.map(({ taxRate, tax: own, total }, index) => ({
      position: index + 1,
      name: lineName(invoice, taxRate),
      quantity: 1,
      unitAmount: total,
      discount: 0n,
      taxRate,
      tax: own,
      total,
    })),
  )
  await publishInvoice(work, tx, invoice)
  const issued = await assignNumber(tx, note, { at, by, issued: { status: 'issued' } })
  await emitIssued(tx, work, issued)
  return issued
}

const lineName = ({ number }: InvoiceRow, taxRate: number): string => `${number ?? ''} · ${percentOf(taxRate)} %`

const readCredited = (tx: Database, invoiceId: string) =>
  tx
    .select({ taxRate: invoiceLines.taxRate, tax: invoiceLines.tax, total: invoiceLines.total })
    .from(invoiceLines)
    .innerJoin(invoices, eq(invoices.id, invoiceLines.invoiceId))
    .where(eq(invoices.invoiceId, invoiceId))
