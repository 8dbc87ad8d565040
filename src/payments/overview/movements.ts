import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { LedgerAccount, LedgerKind } from '../contract/ledger.ts'
import { ledgerEntries, ledgerTransactions } from '../schema.ts'
import type { Scope } from './breakdown.ts'
import { addDays } from './range.ts'

export interface Movement {
  day: string
  kind: LedgerKind
  account: LedgerAccount
  venueId: string | null
  amount: bigint
  orders: number
}

/** Sums of the ledger’s entries of one currency by day, kind, account and venue. */
export async function readMovements(
  db: Database,
  { organizationId, currency, merchantId, from, to }: Scope,
): Promise<Movement[]> {
  const day = sql<string>`to_char(${ledgerTransactions.at} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
  return db
    .select({
      day,
      kind: ledgerTransactions.kind,
      account: ledgerEntries.account,
      venueId: ledgerEntries.venueId,
      amount: sql`sum(${ledgerEntries.amount})`.mapWith(BigInt),
      orders: sql<number>`count(DISTINCT ${ledgerTransactions.orderId})::int`,
    })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .where(
      and(
        eq(ledgerTransactions.organizationId, organizationId),
        eq(ledgerEntries.currency, currency),
        merchantId === undefined ? undefined : eq(ledgerTransactions.merchantId, merchantId),
        gte(ledgerTransactions.at, sql`${from}::date::timestamp AT TIME ZONE 'UTC'`),
        lt(ledgerTransactions.at, sql`${addDays(to, 1)}::date::timestamp AT TIME ZONE 'UTC'`),
      ),
    )
    .groupBy(day, ledgerTransactions.kind, ledgerEntries.account, ledgerEntries.venueId)
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
  const sumOf = (matches: (movement: Movement) => boolean) => sumAmounts(movements.filter(matches))
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

interface Venue {
  id: string
  name: string
}

/** The takings of each day by venue, those with the most first; the last one is what no venue took. */
export function sumVenues(movements: readonly Movement[], venues: readonly Venue[], days: readonly string[]) {
  const takings = movements.filter(({ kind, account }) => kind === 'capture' && account === 'merchant')
  const names = new Map(venues.map(({ id, name }) => [id, name]))
  const groups = Map.groupBy(takings, ({ venueId }) => (venueId !== null && names.has(venueId) ? venueId : null))
  return [...groups]
    .toSorted(([one, ones], [other, others]) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null)
      return Number(sumAmounts(ones) - sumAmounts(others))
    })
    .map(([id, rows]) => ({
      id,
      name: id === null ? null : (names.get(id) ?? null),
      takings: days.map((day) => -sumAmounts(rows.filter((row) => row.day === day))),
    }))
}

const sumAmounts = (movements: readonly Movement[]): bigint => movements.reduce((sum, { amount }) => sum + amount, 0n)
