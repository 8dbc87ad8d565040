import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type {
  ComparedBalance,
  DifferenceKind,
  DifferenceStatus,
  ProposedCorrection,
  RunState,
} from '../contract/reconciliation.ts'
import { amount, createdAt, id, payments, time } from './base.ts'

/** Movements of the balance that aren’t in the ledger, in the provider’s units. */
export interface Unbooked {
  id: string
  currency: string
  net: number
}

/** Where a run goes on. */
export interface RunProgress {
  phase: 'movements' | 'refunds' | 'disputes' | 'payouts' | 'balances'
  cursor: string | null
  /** The oldest movement that was read: an ISO time. */
  readBack: string
  /** Movements of that second, on the pages before: the next page can have more of it. */
  boundary: readonly string[]
  unbooked: readonly Unbooked[]
  /** That were read. */
  pages: number
}

/** Amounts as text, since JSON has no large integers. */
export type StoredCorrection = Omit<ProposedCorrection, 'entries'> & {
  entries: readonly { account: ProposedCorrection['entries'][number]['account']; amount: string }[]
}
export type StoredBalance = Pick<ComparedBalance, 'currency'> & {
  ledger: string
  provider: string
  unexplained: string
}

/** Comparisons of ledger and provider (PAY-32), each of one organization and account. */
export const reconciliationRuns = payments.table(
  'reconciliation_runs',
  {
    id: id(),
    organizationId: uuid().notNull(),
    /** As the gateway names it; null until it is known. */
    account: text(),
    /** Whether its whole balance is the organization’s. */
    scope: text().$type<'own' | 'shared'>(),
    state: text().$type<RunState>().notNull().default('running'),
    startedBy: uuid(),
    startedAt: createdAt(),
    finishedAt: time(),
    windowFrom: time().notNull(),
    windowUntil: time().notNull(),
    attempts: integer().notNull().default(0),
    compared: integer().notNull().default(0),
    matched: integer().notNull().default(0),
    inTransit: integer().notNull().default(0),
    differences: integer().notNull().default(0),
    errorCode: text(),
    errorDetail: text(),
    progress: jsonb().$type<RunProgress>(),
    balances: jsonb().$type<readonly StoredBalance[]>(),
  },
  (table) => [
    index('reconciliation_runs_newest').on(table.organizationId, table.id),
    index('reconciliation_runs_by_start').on(table.organizationId, table.startedAt),
    uniqueIndex('reconciliation_runs_one_running')
      .on(table.organizationId)
      .where(sql`state = 'running'`),
    check('reconciliation_runs_state', sql`${table.state} IN ('running', 'succeeded', 'failed')`),
    check('reconciliation_runs_scope', sql`${table.scope} IN ('own', 'shared')`),
  ],
)

/** What ledger and provider don’t agree about, one row for each cause however often it is found. */
export const reconciliationDifferences = payments.table(
  'reconciliation_differences',
  {
    id: id(),
    organizationId: uuid().notNull(),
    /** Empty when the run failed before it was known. */
    account: text().notNull(),
    /** Such as `movement:txn_1`, `refund:re_1` or `balance:EUR`. */
    cause: text().notNull(),
    kind: text().$type<DifferenceKind>().notNull(),
    status: text().$type<DifferenceStatus>().notNull().default('open'),
    currency: text(),
    /** What it changed of the provider’s balance. */
    ledgerAmount: amount(),
    providerAmount: amount(),
    ledgerFee: amount(),
    providerFee: amount(),
    ledgerState: text(),
    providerState: text(),
    /** Of the provider’s object, and of what caused it. */
    providerReference: text(),
    sourceReference: text(),
    transactionId: uuid(),
    merchantId: uuid(),
    orderId: uuid(),
    paymentId: uuid(),
    refundId: uuid(),
    itemId: uuid(),
    /** When the money moved. */
    occurredAt: time(),
    proposal: jsonb().$type<readonly StoredCorrection[]>().notNull().default([]),
    detail: text(),
    firstSeenAt: createdAt(),
    lastSeenAt: createdAt(),
    lastRunId: uuid(),
    resolvedAt: time(),
    /** Null when a run no longer found it. */
    resolvedBy: uuid(),
    note: text(),
    version: integer().notNull().default(1),
  },
  (table) => [
    unique('reconciliation_differences_cause').on(table.organizationId, table.account, table.cause),
    index('reconciliation_differences_by_status').on(table.organizationId, table.status, table.id),
    index('reconciliation_differences_resolved')
      .on(table.organizationId, table.resolvedAt)
      .where(sql`resolved_at IS NOT NULL`),
    check(
      'reconciliation_differences_kind',
      sql`${table.kind} IN ('missing_in_ledger', 'missing_at_provider', 'amount_differs', 'state_differs', 'balance_differs', 'run_failed')`,
    ),
    check('reconciliation_differences_status', sql`${table.status} IN ('open', 'explained', 'recorded', 'resolved')`),
    check('reconciliation_differences_resolution', sql`(${table.status} = 'open') = (${table.resolvedAt} IS NULL)`),
    check('reconciliation_differences_explained', sql`${table.status} <> 'explained' OR ${table.note} IS NOT NULL`),
  ],
)
