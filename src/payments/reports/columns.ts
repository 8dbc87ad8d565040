import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { LedgerKind } from '../contract/ledger.ts'
import { ledgerDays } from '../schema.ts'

export const takingKinds: readonly LedgerKind[] = ['capture', 'conversion']
const refundKinds: readonly LedgerKind[] = ['refund_created', 'refund_reversed', 'refund_failed']
const disputeKinds: readonly LedgerKind[] = ['dispute_opened', 'dispute_won', 'dispute_lost', 'adjustment']

/** What left the provider’s balance: to the bank, and for settlements. */
const payoutAccounts = ['bank', 'float', 'settlements_payable']
/** What changed the net otherwise. */
const otherAccounts = ['conversion', 'corrections', 'adjustments', 'suspense']

/** The columns of what is added up: of the stored days, or of another query with the same ones. */
export interface SummedColumns {
  account: SQLWrapper
  kind: SQLWrapper
  amount: SQLWrapper
  entries: SQLWrapper
}

const listOf = (values: readonly string[]) => sql.raw(`(${values.map((value) => `'${value}'`).join(', ')})`)

const builderOf = ({ account, kind, amount, entries }: SummedColumns) => ({
  isAccount: (...accounts: string[]) => sql`${account} IN ${listOf(accounts)}`,
  isKind: (kinds: readonly string[]) => sql`${kind} IN ${listOf(kinds)}`,
  sumOf: (sign: '' | '-', condition: SQL) =>
    sql`${sql.raw(sign)}coalesce(sum(${amount}) FILTER (WHERE ${condition}), 0)`.mapWith(BigInt),
  countOf: (condition: SQL) =>
    sql<number>`coalesce(sum(${entries}) FILTER (WHERE ${condition}), 0)::int`.mapWith(Number),
})

/**
 * The columns of reports as sums over days of the ledger. The net after payouts is how the balance at the provider changed
 * (`clearing`, `reserves`, and `refunds_in_transit`), apart from what the organization added itself (`top_ups`, `opening`):
 * each account is in one column or in these.
 */
export function sumsOf(columns: SummedColumns) {
  const { isAccount, isKind, sumOf, countOf } = builderOf(columns)
  const isMerchant = isAccount('merchant')
  return {
    payments: countOf(sql`${isMerchant} AND ${isKind(takingKinds)}`),
    takings: sumOf('-', sql`${isMerchant} AND ${isKind(takingKinds)}`),
    refunds: sumOf('', sql`${isMerchant} AND ${isKind(refundKinds)}`),
    disputes: sumOf('', sql`${isAccount('disputes_held')} OR ${isMerchant} AND ${isKind(disputeKinds)}`),
    fees: sumOf('', isAccount('fees')),
    other: sumOf(
      '-',
      sql`${isAccount(...otherAccounts)}
        OR ${isMerchant} AND NOT ${isKind([...takingKinds, ...refundKinds, ...disputeKinds])}`,
    ),
    payouts: sumOf('', isAccount(...payoutAccounts)),
  }
}

export const reportSums = sumsOf(ledgerDays)

/** What fees, refunds, disputes and payouts consist of. */
export function detailsOf(columns: SummedColumns) {
  const { isAccount, isKind, sumOf, countOf } = builderOf(columns)
  const [isMerchant, isHeld, isFee, isBank] = [
    isAccount('merchant'),
    isAccount('disputes_held'),
    isAccount('fees'),
    isAccount('bank'),
  ]
  const disputing = ['dispute_opened', 'dispute_won', 'dispute_lost']
  const refunding = [...refundKinds, 'refund_settled']
  return {
    feesOfPayments: sumOf('', sql`${isFee} AND ${isKind(takingKinds)}`),
    feesOfRefunds: sumOf('', sql`${isFee} AND ${isKind(refunding)}`),
    feesOfDisputes: sumOf('', sql`${isFee} AND ${isKind(disputing)}`),
    feesOfOthers: sumOf('', sql`${isFee} AND NOT ${isKind([...takingKinds, ...refunding, ...disputing])}`),
    refundCount: countOf(sql`${isMerchant} AND ${isKind(['refund_created'])}`),
    refundsSent: sumOf('', sql`${isMerchant} AND ${isKind(['refund_created'])}`),
    refundsReturned: sumOf('-', sql`${isMerchant} AND ${isKind(['refund_reversed', 'refund_failed'])}`),
    disputeCount: countOf(sql`${isHeld} AND ${isKind(['dispute_opened'])}`),
    disputesOpened: sumOf('', sql`${isHeld} AND ${isKind(['dispute_opened'])}`),
    disputesWon: sumOf('-', sql`(${isHeld} OR ${isMerchant}) AND ${isKind(['dispute_won'])}`),
    disputesLost: sumOf('', sql`${isMerchant} AND ${isKind(['dispute_lost'])}`),
    payoutCount: countOf(sql`${isBank} AND ${isKind(['bank_payout'])}`),
    bankPayouts: sumOf('', sql`${isBank} AND NOT ${isKind(['bank_payout_returned'])}`),
    bankReturned: sumOf('-', sql`${isBank} AND ${isKind(['bank_payout_returned'])}`),
    settlements: sumOf('', isAccount('float', 'settlements_payable')),
  }
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
