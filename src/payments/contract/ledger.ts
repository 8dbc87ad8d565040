import { z } from 'zod'
import { dayRange } from '#lib/days.ts'
import { Id } from '#lib/ids.ts'
import { Currency, Units, UnitsInput } from '#lib/money.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'

export const LedgerAccount = z.enum([
  'clearing',
  'fees',
  'merchant',
  'refunds_in_transit',
  'disputes_held',
  'float',
  'settlements_payable',
  'conversion',
  'bank',
  'top_ups',
  'reserves',
  'adjustments',
  'opening',
  'suspense',
  'corrections',
])
export type LedgerAccount = z.output<typeof LedgerAccount>

export const LedgerKind = z.enum([
  'capture',
  'refund_created',
  'refund_settled',
  'refund_reversed',
  'refund_failed',
  'dispute_opened',
  'dispute_won',
  'dispute_lost',
  'settlement_sent',
  'transfer',
  'transfer_reversed',
  'payout',
  'payout_returned',
  'fee',
  'conversion',
  'bank_payout',
  'bank_payout_returned',
  'top_up',
  'top_up_reversed',
  'reserve',
  'opening_balance',
  'unassigned',
  'assigned',
  'adjustment',
  'correction',
])
export type LedgerKind = z.output<typeof LedgerKind>

const Amount = Units.describe('In the smallest unit of the currency: debits are positive, credits negative.')
const Hash = z.string().length(64).describe('SHA-256 as hex.')

export const LedgerEntry = z.object({
  account: LedgerAccount,
  venueId: Id.nullable(),
  currency: z.string(),
  amount: Amount,
})
export type LedgerEntry = z.output<typeof LedgerEntry>

export const LedgerTransaction = z.object({
  id: Id,
  merchantId: Id,
  merchantName: z.string().nullable(),
  sequence: Units.describe('Its number in the merchant’s ledger, from 1 without gaps.'),
  kind: LedgerKind,
  currency: z.string(),
  at: Timestamp.describe('When the money moved.'),
  bookedOn: z.iso
    .date()
    .describe('The day of the merchant’s time zone to which it is booked: a later one when its month was closed.'),
  closedMonth: z.string().nullable().describe('The closed month that it belongs to.'),
  orderId: Id.nullable(),
  orderNumber: z.string().nullable(),
  refundId: Id.nullable(),
  disputeId: Id.nullable(),
  itemId: Id.nullable().describe('The item of a settlement batch.'),
  providerReference: z.string().nullable().describe('The ID of the provider’s balance transaction.'),
  correctsId: Id.nullable(),
  correctsSequence: Units.nullable(),
  note: z.string().nullable(),
  createdBy: Id.nullable(),
  previousHash: Hash.describe('Of the merchant’s transaction before it; zeros for the first.'),
  hash: Hash.describe('Of this transaction with its entries and the previous hash.'),
  entries: z.array(LedgerEntry),
})
export type LedgerTransaction = z.output<typeof LedgerTransaction>

export const LedgerTransactionList = listOf(LedgerTransaction).extend({ can: z.object({ correct: z.boolean() }) })
export type LedgerTransactionList = z.output<typeof LedgerTransactionList>

export const LedgerFilter = z.object({
  account: optionalField(LedgerAccount),
  kind: optionalField(LedgerKind),
  currency: optionalField(Currency),
  merchantId: optionalField(Id),
  orderId: optionalField(Id),
  ...dayRange,
  q: optionalField(plainText(200).trim()).describe('A transaction’s number, an order’s number, or the provider’s ID.'),
  ...paging,
})
export type LedgerFilter = z.output<typeof LedgerFilter>

/** A line of the CSV export. */
export const LedgerEntryLine = z.object({
  sequence: Units,
  at: Timestamp,
  bookedOn: z.string(),
  kind: LedgerKind,
  merchant: z.string().nullable(),
  order: z.string().nullable(),
  account: LedgerAccount,
  currency: z.string(),
  debit: z.string().describe('A decimal number; empty for a credit.'),
  credit: z.string().describe('A decimal number; empty for a debit.'),
  note: z.string().nullable(),
  providerReference: z.string().nullable(),
  transactionId: Id,
  hash: Hash,
})

export const LedgerBalance = z.object({
  merchantId: Id,
  merchantName: z.string().nullable(),
  venueId: Id.nullable().describe('Null for entries without a venue, and in totals of a merchant.'),
  account: LedgerAccount,
  currency: z.string(),
  balance: Amount,
})
export type LedgerBalance = z.output<typeof LedgerBalance>

export const LedgerBalanceList = listOf(LedgerBalance)
export type LedgerBalanceList = z.output<typeof LedgerBalanceList>

export const LedgerBalanceFilter = z.object({
  merchantId: optionalField(Id),
  venueId: optionalField(Id),
  account: optionalField(LedgerAccount),
  currency: optionalField(Currency),
  per: optionalField(z.enum(['venue', 'merchant'])).describe('merchant: totals over its venues.'),
  ...paging,
})
export type LedgerBalanceFilter = z.output<typeof LedgerBalanceFilter>

export const LedgerDifference = z.object({
  kind: z
    .enum(['unbalanced', 'hash', 'link', 'missing', 'head', 'orphan', 'balance'])
    .describe(
      'unbalanced: a transaction’s entries don’t sum to zero. hash: it was changed. link: the one before was replaced. missing: it was removed, with those after it up to the next. head: the last ones were removed or added. orphan: an entry’s transaction was removed. balance: a stored balance isn’t the sum of its entries.',
    ),
  merchantId: Id,
  sequence: Units.nullable(),
  transactionId: Id.nullable(),
  venueId: Id.nullable(),
  account: z.string().nullable(),
  currency: z.string().nullable(),
  expected: z.string().nullable(),
  stored: z.string().nullable(),
})
export type LedgerDifference = z.output<typeof LedgerDifference>

const End = z.object({ sequence: Units, at: Timestamp, hash: Hash })

export const LedgerHead = z.object({
  merchantId: Id,
  merchantName: z.string().nullable(),
  transactions: z.int(),
  entries: z.int(),
  first: End.nullable(),
  last: End.nullable(),
  verifiedThrough: Units.describe('Up to here, the chain is as it was written. 0 when even the first isn’t.'),
})
export type LedgerHead = z.output<typeof LedgerHead>

export const LedgerVerification = z.object({
  balanced: z.boolean().describe('All transactions balance, and all balances are the sums of their entries.'),
  chained: z.boolean().describe('No transaction was changed, removed or inserted.'),
  transactions: z.int(),
  entries: z.int(),
  differences: z.array(LedgerDifference).describe('The first 100.'),
  heads: z.array(LedgerHead).describe('The chain of each merchant.'),
  verifiedAt: Timestamp,
  durationMs: z.int(),
})
export type LedgerVerification = z.output<typeof LedgerVerification>

export const LedgerVerificationInput = z.object({ merchantId: Id.optional().describe('All merchants when not set.') })

const maxEntries = 20
/** Either way, in the currency’s smallest unit. */
export const maxCorrection = 1_000_000_000_000n

const EntryDraft = z.object({
  account: LedgerAccount,
  amount: UnitsInput.refine((units) => units !== 0n, 'Must not be 0.')
    .refine(
      (units) => units >= -maxCorrection && units <= maxCorrection,
      `Must be from -${maxCorrection} to ${maxCorrection}.`,
    )
    .describe('In the smallest unit of the currency: debits are positive, credits negative. All sum to zero.'),
})

/** Debits one account and credits another, so it always balances. */
const PostingDraft = z.object({
  debit: LedgerAccount,
  credit: LedgerAccount,
  amount: z.string().trim().max(30).describe('A decimal number, such as 12.40.'),
})

const BlankPosting = z.object({ amount: z.string().trim().max(0) })

/** Without the rows of a form that are left empty. */
const withoutBlankPostings = (postings: unknown): unknown =>
  Array.isArray(postings)
    ? postings.filter((each: unknown, at) => at === 0 || !BlankPosting.safeParse(each).success)
    : postings

export const LedgerCorrectionDraft = z
  .object({
    correctsId: Id.optional().describe('The transaction that it corrects.'),
    correctsSequence: optionalField(
      z
        .string()
        .trim()
        .regex(/^[\d,]{1,20}$/, 'Must be the number of a transaction, such as 18,206.'),
    ).describe('The number of the transaction that it corrects, instead of its ID.'),
    merchantId: Id.optional().describe('Required without correctsId, whose merchant it is otherwise.'),
    venueId: Id.optional(),
    currency: Currency,
    note: plainText(1_000).trim().min(1, 'Enter why.'),
    entries: z.array(EntryDraft).min(2, 'Add at least two entries.').max(maxEntries).optional(),
    postings: z
      .preprocess(
        withoutBlankPostings,
        z
          .array(PostingDraft)
          .min(1)
          .max(maxEntries / 2),
      )
      .optional()
      .describe('Amounts that are each debited to one account and credited to another, instead of entries.'),
  })
  .refine(({ entries, postings }) => (entries === undefined) !== (postings === undefined), {
    error: 'Send either entries or postings.',
    path: ['entries'],
  })
export type LedgerCorrectionDraft = z.output<typeof LedgerCorrectionDraft>

/** A line of the proof, which docs/payments-ledger.md describes. */
export const LedgerProofLine = z.object({
  at: z.iso.datetime(),
  correctsId: Id.nullable(),
  createdBy: Id.nullable(),
  currency: z.string(),
  disputeId: Id.nullable(),
  entries: z.array(z.object({ account: z.string(), amount: z.string(), currency: z.string(), venueId: Id.nullable() })),
  id: Id,
  itemId: Id.nullable(),
  kind: z.string(),
  merchantId: Id,
  note: z.string().nullable(),
  orderId: Id.nullable(),
  organizationId: Id,
  previousHash: Hash,
  providerTransactionId: z.string().nullable(),
  refundId: Id.nullable(),
  sequence: z.string(),
  hash: Hash,
})
