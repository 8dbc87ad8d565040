import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { LedgerAccount, LedgerKind } from '../contract/ledger.ts'
import { ledgerEntries, ledgerTransactions } from '../schema.ts'
import { addDays, type DayRange } from './range.ts'

export interface Movement {
  day: string
  kind: LedgerKind
  account: LedgerAccount
  amount: bigint
  orders: number
}

/** Sums of the ledger’s entries of one currency by day, kind and account. */
export async function readMovements(
  db: Database,
  { organizationId, currency, from, to }: DayRange & { organizationId: string; currency: string },
): Promise<Movement[]> {
  const day = sql<string>`to_char(${ledgerTransactions.at} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
  return db
    .select({
      day,
      kind: ledgerTransactions.kind,
      account: ledgerEntries.account,
      amount: sql`sum(${ledgerEntries.amount})`.mapWith(BigInt),
      orders: sql<number>`count(DISTINCT ${ledgerTransactions.orderId})::int`,
    })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .where(
      and(
        eq(ledgerTransactions.organizationId, organizationId),
        eq(ledgerEntries.currency, currency),
        gte(ledgerTransactions.at, sql`${from}::date::timestamp AT TIME ZONE 'UTC'`),
        lt(ledgerTransactions.at, sql`${addDays(to, 1)}::date::timestamp AT TIME ZONE 'UTC'`),
      ),
    )
    .groupBy(day, ledgerTransactions.kind, ledgerEntries.account)
}

export interface Sums {
  takings: bigint
  refunds: bigint
  disputes: bigint
  fees: bigint
  net: bigint
  paidOrders: number
}

const refundKinds: readonly LedgerKind[] = ['refund_created', 'refund_reversed', 'refund_failed']
const disputeKinds: readonly LedgerKind[] = ['dispute_opened', 'dispute_won']

export function sumMovements(movements: readonly Movement[]): Sums {
  const sumOf = (matches: (movement: Movement) => boolean) =>
    movements.filter(matches).reduce((sum, { amount }) => sum + amount, 0n)
  const takings = -sumOf(({ kind, account }) => kind === 'capture' && account === 'merchant')
  const refunds = sumOf(({ kind, account }) => refundKinds.includes(kind) && account === 'merchant')
  const disputes = sumOf(({ kind, account }) => disputeKinds.includes(kind) && account === 'disputes_held')
  const fees = sumOf(({ account }) => account === 'fees')
  return {
    takings,
    refunds,
    disputes,
    fees,
    net: takings - refunds - disputes - fees,
    paidOrders: movements
      .filter(({ kind, account }) => kind === 'capture' && account === 'merchant')
      .reduce((sum, { orders }) => sum + orders, 0),
  }
}
