import { digest } from '#lib/ids.ts'

/** The previous hash of a merchant’s first transaction. */
export const genesisHash = '0'.repeat(64)

interface ChainedEntry {
  readonly account: string
  readonly amount: bigint
  readonly currency: string
  readonly venueId: string | null
}

/** All of a transaction that its hash covers. */
export interface ChainedTransaction {
  readonly id: string
  readonly organizationId: string
  readonly merchantId: string
  readonly sequence: bigint
  readonly kind: string
  readonly currency: string
  /** RFC 3339 in UTC, with milliseconds. */
  readonly at: string
  readonly orderId: string | null
  readonly refundId: string | null
  readonly disputeId: string | null
  readonly itemId: string | null
  readonly providerTransactionId: string | null
  readonly correctsId: string | null
  readonly note: string | null
  readonly createdBy: string | null
  readonly previousHash: string
  readonly entries: readonly ChainedEntry[]
}

/** As docs/payments-ledger.md defines it: JSON by RFC 8785, with names in alphabetical order and integers as text. */
export const canonicalText = (one: ChainedTransaction): string =>
  JSON.stringify({
    at: one.at,
    correctsId: one.correctsId,
    createdBy: one.createdBy,
    currency: one.currency,
    disputeId: one.disputeId,
    entries: one.entries.map(({ account, amount, currency, venueId }) => ({
      account,
      amount: String(amount),
      currency,
      venueId,
    })),
    id: one.id,
    itemId: one.itemId,
    kind: one.kind,
    merchantId: one.merchantId,
    note: one.note,
    orderId: one.orderId,
    organizationId: one.organizationId,
    previousHash: one.previousHash,
    providerTransactionId: one.providerTransactionId,
    refundId: one.refundId,
    sequence: String(one.sequence),
  })

export const hashTransaction = (one: ChainedTransaction): string => digest(canonicalText(one))
