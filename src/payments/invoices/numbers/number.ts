import { and, eq, max, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { localDay } from '#lib/time.ts'
import { invoiceNumbers, invoices, merchants, type Seller } from '../../schema.ts'
import type { InvoiceRow } from '../rows.ts'

const digits = 4

/** `ACME-2026-0431`; credit notes have a series of their own, `ACME-CN-2026-0019`. */
const numberOf = (
  { kind }: Pick<InvoiceRow, 'kind'>,
  { prefix, year, sequence }: { prefix: string; year: number; sequence: number },
): string => [prefix, ...(kind === 'credit_note' ? ['CN'] : []), year, String(sequence).padStart(digits, '0')].join('-')

/**
 * Issues a locked draft: from then on only its state changes. Its number is the next of its merchant, kind and year,
 * whose counter stays locked until the transaction ends: call it last.
 */
export async function assignNumber(
  tx: Database,
  invoice: InvoiceRow,
  { at, by, issued }: { at: Date; by: string | null; issued: Partial<Omit<InvoiceRow, 'version'>> },
): Promise<InvoiceRow> {
  // Shared, so that another merchant can’t take its prefix before this number is visible.
  const [merchant] = await tx.select().from(merchants).where(eq(merchants.id, invoice.merchantId)).for('share')
  if (!merchant) throw new Error('The invoice’s merchant is gone')
  const { merchantId, kind, organizationId } = invoice
  const today = await firstDay(tx, invoice, localDay(at, merchant.timezone))
  const { year } = Temporal.PlainDate.from(today)
  const [counter] = await tx
    .insert(invoiceNumbers)
    .values({ merchantId, series: kind, year, organizationId, last: 1, lastOn: today })
    .onConflictDoUpdate({
      target: [invoiceNumbers.merchantId, invoiceNumbers.series, invoiceNumbers.year],
      set: {
        last: sql`${invoiceNumbers.last} + 1`,
        // Another one can have waited less for this row.
        lastOn: sql`greatest(${invoiceNumbers.lastOn}, excluded.last_on)`,
      },
    })
    .returning()
  if (!counter) throw new Error('The counter of invoices was not inserted')
  const numbered = { prefix: merchant.invoicePrefix, year: counter.year, sequence: counter.last }
  const [after] = await tx
    .update(invoices)
    .set({
      ...issued,
      year: counter.year,
      sequence: counter.last,
      number: numberOf(invoice, numbered),
      seller: sellerOf(merchant),
      issuedOn: counter.lastOn,
      dueOn: kind === 'invoice' ? daysAfter(counter.lastOn, invoice.paymentDays) : null,
      issuedAt: at,
      issuedBy: by,
      version: sql`${invoices.version} + 1`,
    })
    .where(eq(invoices.id, invoice.id))
    .returning()
  if (!after) throw new Error('The locked invoice is gone')
  return after
}

/** Of days in the merchant’s time zone, which can have been ahead: not before those of other numbers. */
async function firstDay(tx: Database, { merchantId, kind }: InvoiceRow, today: string): Promise<string> {
  const [before] = await tx
    .select({ on: max(invoiceNumbers.lastOn) })
    .from(invoiceNumbers)
    .where(and(eq(invoiceNumbers.merchantId, merchantId), eq(invoiceNumbers.series, kind)))
  return before?.on && before.on > today ? before.on : today
}

const daysAfter = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString()

export const sellerOf = ({
  name,
  legalName,
  address,
  taxNumber,
}: Pick<typeof merchants.$inferSelect, 'name' | 'legalName' | 'address' | 'taxNumber'>): Seller => ({
  name: legalName ?? name,
  address,
  taxNumber,
})
