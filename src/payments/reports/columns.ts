import { sql, type SQL } from 'drizzle-orm'
import type { LedgerKind } from '../contract/ledger.ts'
import { ledgerDays } from '../schema.ts'

const takingKinds: readonly LedgerKind[] = ['capture', 'conversion']
const refundKinds: readonly LedgerKind[] = ['refund_created', 'refund_reversed', 'refund_failed']
const disputeKinds: readonly LedgerKind[] = ['dispute_opened', 'dispute_won', 'dispute_lost', 'adjustment']

/** What left the provider’s balance: to the bank, and for settlements. */
const payoutAccounts = ['bank', 'float', 'settlements_payable']
/** What changed the net otherwise. */
const otherAccounts = ['conversion', 'corrections', 'adjustments', 'suspense']

const { account, kind, amount, entries } = ledgerDays

const listOf = (values: readonly string[]) => sql.raw(`(${values.map((value) => `'${value}'`).join(', ')})`)
const isMerchant = sql`${account} = 'merchant'`
const sumOf = (sign: '' | '-', condition: SQL) =>
  sql`${sql.raw(sign)}coalesce(sum(${amount}) FILTER (WHERE ${condition}), 0)`.mapWith(BigInt)

/**
 * The columns of reports as sums over days of the ledger. The net after payouts is how the balance at the provider changed
 * (`clearing`, `reserves`, and `refunds_in_transit`), apart from what the organization added itself (`top_ups`, `opening`):
 * each account is in one column or in these.
 */
export const reportSums = {
  payments:
    sql<number>`coalesce(sum(${entries}) FILTER (WHERE ${isMerchant} AND ${kind} IN ${listOf(takingKinds)}), 0)::int`.mapWith(
      Number,
    ),
  takings: sumOf('-', sql`${isMerchant} AND ${kind} IN ${listOf(takingKinds)}`),
  refunds: sumOf('', sql`${isMerchant} AND ${kind} IN ${listOf(refundKinds)}`),
  disputes: sumOf('', sql`${account} = 'disputes_held' OR ${isMerchant} AND ${kind} IN ${listOf(disputeKinds)}`),
  fees: sumOf('', sql`${account} = 'fees'`),
  other: sumOf(
    '-',
    sql`${account} IN ${listOf(otherAccounts)}
      OR ${isMerchant} AND ${kind} NOT IN ${listOf([...takingKinds, ...refundKinds, ...disputeKinds])}`,
  ),
  payouts: sumOf('', sql`${account} IN ${listOf(payoutAccounts)}`),
}

interface Sums {
  payments: number
  takings: bigint
  refunds: bigint
  disputes: bigint
  fees: bigint
  other: bigint
  payouts: bigint
}

export const withNet = <Row extends Sums>(row: Row): Row & { net: bigint } => ({
  ...row,
  net: row.takings - row.refunds - row.disputes - row.fees + row.other,
})
