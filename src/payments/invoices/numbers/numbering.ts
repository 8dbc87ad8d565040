import { and, asc, count, eq, isNotNull, lte, type AnyColumn } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { InvoiceNumbering, InvoiceSeries, InvoiceSummary } from '../../contract/invoices.ts'
import { invoiceNumbers, invoices, merchants } from '../../schema.ts'

const maxMissing = 100

/** Every series of an organization by its counter: it is complete when its last number exists, as each needs the one before. */
export async function readSeries(
  db: Database,
  organizationId: string,
): Promise<z.input<typeof InvoiceSummary>['numbering']> {
  const [first, last] = [alias(invoices, 'first'), alias(invoices, 'last')]
  const rows = await db
    .select({
      merchant: { id: invoiceNumbers.merchantId, name: merchants.name },
      kind: invoiceNumbers.series,
      year: invoiceNumbers.year,
      count: invoiceNumbers.last,
      first: first.number,
      last: last.number,
    })
    .from(invoiceNumbers)
    .innerJoin(merchants, eq(merchants.id, invoiceNumbers.merchantId))
    .leftJoin(first, and(inSeries(first), eq(first.sequence, 1)))
    .leftJoin(last, and(inSeries(last), eq(last.sequence, invoiceNumbers.last)))
    .where(eq(invoiceNumbers.organizationId, organizationId))
    .orderBy(asc(merchants.name), asc(invoiceNumbers.series), asc(invoiceNumbers.year))
  return {
    complete: rows.every((row) => row.first !== null && row.last !== null),
    series: rows.map((row) => ({ ...row, first: row.first ?? '', last: row.last ?? '' })),
  }
}

const inSeries = (documents: Record<'merchantId' | 'kind' | 'year', AnyColumn>) =>
  and(
    eq(documents.merchantId, invoiceNumbers.merchantId),
    eq(documents.kind, invoiceNumbers.series),
    eq(documents.year, invoiceNumbers.year),
  )

/** The same, read from every invoice, with the numbers that no invoice has (PAY-30): none. */
export async function verifyNumbering(db: Database, organizationId: string): Promise<z.input<typeof InvoiceNumbering>> {
  const { series } = await readSeries(db, organizationId)
  const found = await db
    .select({
      merchantId: invoiceNumbers.merchantId,
      kind: invoiceNumbers.series,
      year: invoiceNumbers.year,
      count: count(invoices.id),
    })
    .from(invoiceNumbers)
    .leftJoin(invoices, and(inSeries(invoices), lte(invoices.sequence, invoiceNumbers.last)))
    .where(eq(invoiceNumbers.organizationId, organizationId))
    .groupBy(invoiceNumbers.merchantId, invoiceNumbers.series, invoiceNumbers.year)
  const verified: z.input<typeof InvoiceSeries>[] = []
  for (const each of series) {
    const own = { merchantId: each.merchant.id, kind: each.kind, year: each.year }
    const counted = found.find(
      ({ merchantId, kind, year }) => merchantId === own.merchantId && kind === own.kind && year === own.year,
    )
    const isWhole = counted?.count === each.count
    verified.push({
      ...each,
      count: counted?.count ?? 0,
      missing: isWhole ? [] : await findMissing(db, own, each.count),
    })
  }
  return { complete: verified.every(({ missing }) => missing.length === 0), series: verified }
}

type Own = Pick<z.input<typeof InvoiceSeries>, 'kind' | 'year'> & { merchantId: string }

async function findMissing(db: Database, { merchantId, kind, year }: Own, last: number): Promise<number[]> {
  const rows = await db
    .select({ sequence: invoices.sequence })
    .from(invoices)
    .where(
      and(
        eq(invoices.merchantId, merchantId),
        eq(invoices.kind, kind),
        eq(invoices.year, year),
        isNotNull(invoices.sequence),
      ),
    )
  const used = new Set(rows.map(({ sequence }) => sequence))
  return Array.from({ length: last }, (_, at) => at + 1)
    .filter((sequence) => !used.has(sequence))
    .slice(0, maxMissing)
}
