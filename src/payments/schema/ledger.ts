import { sql } from 'drizzle-orm'
import { bigint, check, date, index, integer, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { LedgerAccount, LedgerKind } from '../contract/ledger.ts'
import { amount, currency, id, payments, time } from './base.ts'
import { merchants } from './merchants.ts'

const sequence = () => bigint({ mode: 'bigint' }).notNull()
/** SHA-256 as hex. */
const hash = () => text().notNull()
const account = () => text().$type<LedgerAccount>().notNull()

/**
 * Movements of money (PAY-12), each with its balanced entries and linked to the one before of its merchant by its hash
 * (docs/payments-ledger.md). Rows are only added.
 */
export const ledgerTransactions = payments.table(
  'ledger_transactions',
  {
    id: id(),
    organizationId: uuid().notNull(),
    merchantId: uuid().notNull(),
    /** Of the merchant, from 1, without gaps. */
    sequence: sequence(),
    kind: text().$type<LedgerKind>().notNull(),
    currency: currency(),
    /** When the money moved. */
    at: time().notNull(),
    /** The day of its merchant’s time zone to which it is booked: that of `at`, or later once its month is closed. */
    bookedOn: date().notNull(),
    /** The closed month that it would be booked to, such as `2026-10`. */
    closedMonth: text(),
    orderId: uuid(),
    refundId: uuid(),
    disputeId: uuid(),
    itemId: uuid(),
    /** Of the provider’s balance transaction. */
    providerTransactionId: text(),
    correctsId: uuid(),
    note: text(),
    createdBy: uuid(),
    /** How many entries it has, so that none can be added later. */
    entryCount: integer().notNull(),
    previousHash: hash(),
    hash: hash(),
  },
  (table) => [
    unique('ledger_transactions_sequence').on(table.merchantId, table.sequence),
    uniqueIndex('ledger_transactions_provider')
      .on(table.providerTransactionId, table.organizationId, table.kind)
      .where(sql`provider_transaction_id IS NOT NULL`),
    index('ledger_transactions_newest').on(table.organizationId, table.id),
    index('ledger_transactions_by_kind').on(table.organizationId, table.kind, table.id),
    index('ledger_transactions_by_currency').on(table.organizationId, table.currency, table.id),
    index('ledger_transactions_by_time').on(table.organizationId, table.at),
    index('ledger_transactions_by_day').on(table.merchantId, table.bookedOn, table.sequence),
    index('ledger_transactions_late')
      .on(table.merchantId, table.closedMonth)
      .where(sql`closed_month IS NOT NULL`),
    index('ledger_transactions_by_order')
      .on(table.orderId)
      .where(sql`order_id IS NOT NULL`),
    index('ledger_transactions_by_corrected')
      .on(table.correctsId)
      .where(sql`corrects_id IS NOT NULL`),
    check('ledger_transactions_closed_month', sql`${table.closedMonth} ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'`),
    check('ledger_transactions_positive', sql`${table.sequence} > 0`),
    check('ledger_transactions_entries', sql`${table.entryCount} >= 2`),
    check(
      'ledger_transactions_hashes',
      sql`${table.hash} ~ '^[0-9a-f]{64}$' AND ${table.previousHash} ~ '^[0-9a-f]{64}$'`,
    ),
  ],
)

/** Debits are positive, credits negative. Rows are only added, with their transaction. */
export const ledgerEntries = payments.table(
  'ledger_entries',
  {
    transactionId: uuid().notNull(),
    /** In its transaction, from 1. */
    position: integer().notNull(),
    organizationId: uuid().notNull(),
    merchantId: uuid().notNull(),
    venueId: uuid(),
    account: account(),
    currency: currency(),
    amount: amount().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionId, table.position] }),
    index('ledger_entries_by_account').on(table.organizationId, table.account, table.transactionId),
    index('ledger_entries_by_merchant').on(table.merchantId),
    check('ledger_entries_amount', sql`${table.amount} <> 0`),
    check('ledger_entries_position', sql`${table.position} > 0`),
    check(
      'ledger_entries_account',
      sql`${table.account} IN ('clearing', 'fees', 'merchant', 'refunds_in_transit', 'disputes_held', 'float', 'settlements_payable', 'conversion', 'bank', 'top_ups', 'reserves', 'adjustments', 'opening', 'suspense', 'corrections')`,
    ),
  ],
)

/** In balances, of entries without a venue. */
export const noVenue = '00000000-0000-0000-0000-000000000000'

/** The sums of all entries, so that reading them takes as long with a million entries as with one. */
export const ledgerBalances = payments.table(
  'ledger_balances',
  {
    merchantId: uuid().notNull(),
    /** `noVenue` for entries without one. */
    venueId: uuid().notNull(),
    account: account(),
    currency: currency(),
    organizationId: uuid().notNull(),
    balance: amount().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.venueId, table.account, table.currency] }),
    index('ledger_balances_by_organization').on(table.organizationId),
  ],
)

/** The sums of all entries by day, for reports: reading a year takes as long with a million orders as with one. */
export const ledgerDays = payments.table(
  'ledger_days',
  {
    merchantId: uuid().notNull(),
    currency: currency(),
    day: date().notNull(),
    /** `noVenue` for entries without one. */
    venueId: uuid().notNull(),
    kind: text().$type<LedgerKind>().notNull(),
    account: account(),
    organizationId: uuid().notNull(),
    amount: amount().notNull(),
    /** How many entries there are. */
    entries: integer().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.merchantId, table.currency, table.day, table.venueId, table.kind, table.account],
    }),
    index('ledger_days_by_organization').on(table.organizationId, table.day),
  ],
)

/** The end of each merchant’s chain. Its row is locked while the merchant’s ledger is written. */
export const ledgerHeads = payments.table(
  'ledger_heads',
  {
    merchantId: uuid()
      .primaryKey()
      .references(() => merchants.id),
    organizationId: uuid().notNull(),
    /** 0 before the first transaction. */
    sequence: sequence(),
    hash: hash(),
    /** The day after the last closed month: nothing is booked before it. Never moves back. */
    openFrom: date(),
  },
  (table) => [index('ledger_heads_by_organization').on(table.organizationId)],
)
