import { and, asc, count, eq, isNotNull, max, min } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { InvoiceNumbering, InvoiceSeries } from '../../contract/invoices.ts'
import { invoiceNumbers, invoices, merchants } from '../../schema.ts'

const maxMissing = 100

/** Every series of an organization, with the numbers that no invoice has (PAY-30): none. */
export async function readNumbering(db: Database, organizationId: string): Promise<z.input<typeof InvoiceNumbering>> {
  const rows = await db
    .select({
      merchantId: invoiceNumbers.merchantId,
      merchantName: merchants.name,
      kind: invoiceNumbers.series,
      year: invoiceNumbers.year,
      counted: invoiceNumbers.last,
      count: count(invoices.id),
      lowest: min(invoices.sequence),
      highest: max(invoices.sequence),
    })
    .from(invoiceNumbers)
    .innerJoin(merchants, eq(merchants.id, invoiceNumbers.merchantId))
    .leftJoin(
      invoices,
      and(
        eq(invoices.merchantId, invoiceNumbers.merchantId),
        eq(invoices.kind, invoiceNumbers.series),
        eq(invoices.year, invoiceNumbers.year),
      ),
    )
    .where(eq(invoiceNumbers.organizationId, organizationId))
    .groupBy(invoiceNumbers.merchantId, merchants.name, invoiceNumbers.series, invoiceNumbers.year, invoiceNumbers.last)
    .orderBy(asc(merchants.name), asc(invoiceNumbers.series), asc(invoiceNumbers.year))
  const series = await Promise.all(
    rows.map(async ({ merchantId, merchantName, kind, year, counted, count: found, lowest, highest }) => {
      const own = { merchantId, kind, year }
      const [first, last] = await Promise.all([numberAt(db, own, lowest), numberAt(db, own, highest)])
      const isWhole = found === counted && lowest === 1 && highest === counted
      return {
        merchant: { id: merchantId, name: merchantName },
        kind,
        year,
        first,
        last,
        count: found,
        missing: isWhole ? [] : await findMissing(db, own, counted),
      }
    }),
  )
  return { complete: series.every(({ missing }) => missing.length === 0), series }
}

type Own = Pick<z.input<typeof InvoiceSeries>, 'kind' | 'year'> & { merchantId: string }

const ofSeries = ({ merchantId, kind, year }: Own) =>
  and(eq(invoices.merchantId, merchantId), eq(invoices.kind, kind), eq(invoices.year, year))

async function numberAt(db: Database, own: Own, sequence: number | null): Promise<string> {
  if (sequence === null) return ''
  const [row] = await db
    .select({ number: invoices.number })
    .from(invoices)
    .where(and(ofSeries(own), eq(invoices.sequence, sequence)))
  return row?.number ?? ''
}

async function findMissing(db: Database, own: Own, last: number): Promise<number[]> {
  const rows = await db
    .select({ sequence: invoices.sequence })
    .from(invoices)
    .where(and(ofSeries(own), isNotNull(invoices.sequence)))
  const used = new Set(rows.map(({ sequence }) => sequence))
  return Array.from({ length: last }, (_, at) => at + 1)
    .filter((sequence) => !used.has(sequence))
    .slice(0, maxMissing)
}
