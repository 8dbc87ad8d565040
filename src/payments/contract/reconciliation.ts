import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Units } from '#lib/money.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { LedgerAccount } from './ledger.ts'

const Amount = Units.describe('In the smallest unit of the currency.')

export const RunState = z.enum(['running', 'succeeded', 'failed'])
export type RunState = z.output<typeof RunState>

export const DifferenceKind = z
  .enum([
    'missing_in_ledger',
    'missing_at_provider',
    'amount_differs',
    'state_differs',
    'balance_differs',
    'run_failed',
  ])
  .describe(
    'balance_differs: what is left of the difference of the balances after all others are taken into account. run_failed: the last run ended without a result.',
  )
export type DifferenceKind = z.output<typeof DifferenceKind>

export const DifferenceStatus = z
  .enum(['open', 'explained', 'recorded', 'resolved'])
  .describe('explained: a person said why. recorded: the ledger was corrected. resolved: it is no longer found.')
export type DifferenceStatus = z.output<typeof DifferenceStatus>

export const ProposedCorrection = z.object({
  correctsId: Id.nullable().describe('The ledger transaction that it corrects.'),
  currency: z.string(),
  entries: z.array(z.object({ account: LedgerAccount, amount: Amount })),
})
export type ProposedCorrection = z.output<typeof ProposedCorrection>

export const ComparedBalance = z.object({
  currency: z.string(),
  ledger: Amount.describe('The ledger’s account `clearing`.'),
  provider: Amount,
  unexplained: Amount.describe('What remains without the differences and what is in transit.'),
})
export type ComparedBalance = z.output<typeof ComparedBalance>

export const ReconciliationRun = z.object({
  id: Id,
  state: RunState,
  account: z.string().nullable(),
  scope: z.enum(['own', 'shared']).nullable().describe('shared: other organizations use this account too.'),
  startedBy: Id.nullable().describe('Null for daily runs.'),
  startedAt: Timestamp,
  finishedAt: Timestamp.nullable(),
  windowFrom: Timestamp,
  windowUntil: Timestamp,
  compared: z.int(),
  matched: z.int(),
  inTransit: z.int().describe('What can still be booked by itself: it is no difference yet.'),
  differences: z.int(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  balances: z.array(ComparedBalance).nullable().describe('Null when they aren’t compared.'),
})
export type ReconciliationRun = z.output<typeof ReconciliationRun>

export const ReconciliationRunList = listOf(ReconciliationRun)
export type ReconciliationRunList = z.output<typeof ReconciliationRunList>

export const ReconciliationRunFilter = z.object({ state: optionalField(RunState), ...paging })

export const ReconciliationDifference = z.object({
  id: Id,
  kind: DifferenceKind,
  status: DifferenceStatus,
  title: z.string(),
  advice: z.string().describe('What to do.'),
  currency: z.string().nullable(),
  ledgerAmount: Amount.nullable().describe('What it changed of the balance, according to the ledger.'),
  providerAmount: Amount.nullable(),
  ledgerFee: Amount.nullable(),
  providerFee: Amount.nullable(),
  ledgerState: z.string().nullable(),
  providerState: z.string().nullable(),
  providerReference: z.string().nullable(),
  sourceReference: z.string().nullable().describe('The object that caused the movement, such as a refund.'),
  transactionId: Id.nullable(),
  orderId: Id.nullable(),
  orderNumber: z.string().nullable(),
  refundId: Id.nullable(),
  batchId: z.string().nullable(),
  occurredAt: Timestamp.nullable(),
  proposal: z.array(ProposedCorrection).describe('What would be recorded.'),
  firstSeenAt: Timestamp,
  lastSeenAt: Timestamp,
  resolvedAt: Timestamp.nullable(),
  resolvedBy: Id.nullable(),
  resolvedByName: z.string().nullable(),
  note: z.string().nullable(),
  can: z.object({ explain: z.boolean(), record: z.boolean(), check: z.boolean() }),
})
export type ReconciliationDifference = z.output<typeof ReconciliationDifference>

export const ReconciliationDifferenceList = listOf(ReconciliationDifference)
export type ReconciliationDifferenceList = z.output<typeof ReconciliationDifferenceList>

export const ReconciliationDifferenceFilter = z.object({
  status: optionalField(z.enum([...DifferenceStatus.options, 'closed'])).describe('closed: all but open ones.'),
  kind: optionalField(DifferenceKind),
  ...paging,
})
export type ReconciliationDifferenceFilter = z.output<typeof ReconciliationDifferenceFilter>

/** A line of the CSV export. */
export const ReconciliationDifferenceLine = ReconciliationDifference.omit({
  proposal: true,
  can: true,
  advice: true,
}).extend({
  ledgerAmount: z.string(),
  providerAmount: z.string(),
  ledgerFee: z.string(),
  providerFee: z.string(),
})

export const DifferenceExplanation = z.object({ id: Id, note: plainText(1_000).trim().min(1, 'Enter why.') })

const Day = z.object({
  day: z.iso.date().describe('In UTC.'),
  runId: Id.nullable(),
  state: RunState.nullable().describe('Of the last run of the day; null without one.'),
  differences: z.int(),
  error: z.string().nullable(),
})

export const Reconciliation = z.object({
  last: ReconciliationRun.nullable(),
  running: ReconciliationRun.nullable(),
  days: z.array(Day).describe('The last 30, the oldest first.'),
  open: z.int(),
  resolved: z.int(),
  nextRunAt: Timestamp,
  can: z.object({ run: z.boolean() }),
})
export type Reconciliation = z.output<typeof Reconciliation>
