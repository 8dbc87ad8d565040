import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { ledgerEntries, ledgerTransactions, orderPayments } from '../schema.ts'

/** Sums like those of the stored days, by the method with which the order of each transaction was paid; empty without one. */
export const methodDays = (db: Database, chosen: SQL | undefined) =>
  db
    .select({
      merchantId: ledgerTransactions.merchantId,
      currency: ledgerEntries.currency,
      day: sql<string>`NULL::date`.as('day'),
      venueId: sql<string | null>`NULL::uuid`.as('venue_id'),
      method: sql<string>`coalesce(${orderPayments.cardBrand}, '')`.as('method'),
      kind: ledgerTransactions.kind,
      account: ledgerEntries.account,
      amount: sql`sum(${ledgerEntries.amount})`.mapWith(BigInt).as('amount'),
      entries: sql<number>`count(*)`.as('entries'),
    })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    // Of an order, one such payment exists.
    .leftJoin(
      orderPayments,
      and(
        eq(orderPayments.orderId, ledgerTransactions.orderId),
        eq(orderPayments.status, 'succeeded'),
        isNull(orderPayments.duplicateOf),
      ),
    )
    .where(chosen)
    .groupBy(
      ledgerTransactions.merchantId,
      ledgerEntries.currency,
      orderPayments.cardBrand,
      ledgerTransactions.kind,
      ledgerEntries.account,
    )
    .as('method_days')
