import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { BatchFailure, BatchStatus, CallbackState, ItemStatus, RequesterKind } from '../contract/settlements.ts'
import { accountKey, amount, createdAt, currency, id, payments, time } from './base.ts'
import { merchants } from './merchants.ts'

/** Payouts to many recipients that are asked for together (PAY-21). */
export const settlements = payments.table(
  'settlements',
  {
    id: id(),
    organizationId: uuid().notNull(),
    merchantId: uuid()
      .notNull()
      .references(() => merchants.id),
    /** Chosen by the caller. */
    batchId: text().notNull(),
    status: text().$type<BatchStatus>().notNull(),
    currency: currency(),
    controlSum: amount().notNull(),
    itemCount: integer().notNull(),
    accountKey: accountKey(),
    callbackUrl: text().notNull(),
    /** SHA-256 of the canonical body: a repeat with another one is refused. */
    bodyHash: text().notNull(),
    repeats: integer().notNull().default(0),
    requestedBy: uuid(),
    /** The person behind the API key that requested it, else the requester; null for a service. */
    responsibleId: uuid(),
    requesterKind: text().$type<RequesterKind>().notNull(),
    /** The slug of a service that requested it. */
    requestingService: text(),
    /** The ceiling that it was above. */
    ceiling: amount(),
    decidedBy: uuid(),
    decidedAt: time(),
    /** The owner confirmed it alone with a second factor, since no one else holds the permission. */
    confirmedAlone: time(),
    failure: text().$type<BatchFailure>(),
    /** What the balance lacked. */
    missingAmount: amount(),
    /** Of its last callback. */
    lastSequence: integer().notNull().default(0),
    /** When its callback URL responded with 410 Gone. */
    callbacksStoppedAt: time(),
    createdAt: createdAt(),
    startedAt: time(),
    finishedAt: time(),
    /** While it waits to be started: when that is tried next. */
    dueAt: time(),
    version: integer().notNull().default(1),
  },
  (table) => [
    unique('settlements_batch').on(table.organizationId, table.batchId),
    index('settlements_newest').on(table.organizationId, table.id),
    index('settlements_by_status').on(table.organizationId, table.status, table.id),
    index('settlements_due')
      .on(table.dueAt, table.id)
      .where(sql`due_at IS NOT NULL`),
    check(
      'settlements_status',
      sql`${table.status} IN ('needs_approval', 'accepted', 'processing', 'completed', 'partially_failed', 'failed')`,
    ),
    check('settlements_amounts', sql`${table.controlSum} > 0 AND ${table.itemCount} > 0`),
    check('settlements_due_status', sql`(${table.dueAt} IS NOT NULL) = (${table.status} = 'accepted')`),
  ],
)

/** One recipient’s payout: a transfer to its connected account, then a payout from there. */
export const settlementItems = payments.table(
  'settlement_items',
  {
    id: id(),
    organizationId: uuid().notNull(),
    settlementId: uuid()
      .notNull()
      .references(() => settlements.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    reference: text().notNull(),
    /** The provider’s ID of the connected account. */
    recipient: text().notNull(),
    amount: amount().notNull(),
    currency: currency(),
    status: text().$type<ItemStatus>().notNull().default('pending'),
    accountKey: accountKey(),
    transferId: text(),
    payoutId: text(),
    reversalId: text(),
    /** What of its transfer came back, also by hand at the provider. */
    reversedAmount: amount()
      .notNull()
      .default(sql`0`),
    /** When the first request of each step was begun: until its ID is known, its outcome is unknown. */
    transferSentAt: time(),
    payoutSentAt: time(),
    reversalSentAt: time(),
    attempts: integer().notNull().default(0),
    failureCode: text(),
    failureMessage: text(),
    createdAt: createdAt(),
    settledAt: time(),
    changedAt: createdAt(),
    /** Its status isn’t in a callback yet. */
    unannounced: boolean().notNull().default(false),
    checkedAt: time(),
    /** Checks since its status changed. */
    checks: integer().notNull().default(0),
    /** When it is sent, continued or checked next. */
    dueAt: time(),
    leaseOwner: text(),
    version: integer().notNull().default(1),
  },
  (table) => [
    unique('settlement_items_reference').on(table.settlementId, table.reference),
    unique('settlement_items_position').on(table.settlementId, table.position),
    index('settlement_items_by_status').on(table.settlementId, table.status, table.position),
    index('settlement_items_by_recipient').on(table.organizationId, table.recipient),
    unique('settlement_items_transfer').on(table.transferId, table.organizationId, table.accountKey),
    unique('settlement_items_payout').on(table.payoutId, table.organizationId, table.accountKey),
    index('settlement_items_due')
      .on(table.dueAt, table.id)
      .where(sql`due_at IS NOT NULL`),
    index('settlement_items_unannounced')
      .on(table.settlementId)
      .where(sql`unannounced`),
    check('settlement_items_amount', sql`${table.amount} > 0`),
    check('settlement_items_reversed', sql`${table.reversedAmount} BETWEEN 0 AND ${table.amount}`),
    check(
      'settlement_items_status',
      sql`${table.status} IN ('pending', 'sent', 'unknown', 'settled', 'failed', 'returned')`,
    ),
    check('settlement_items_transfer_sent', sql`${table.transferId} IS NULL OR ${table.transferSentAt} IS NOT NULL`),
    check('settlement_items_payout_sent', sql`${table.payoutId} IS NULL OR ${table.payoutSentAt} IS NOT NULL`),
    check('settlement_items_reversal_sent', sql`${table.reversalId} IS NULL OR ${table.reversalSentAt} IS NOT NULL`),
  ],
)

/** News about a batch for the service that sent it (PAY-22). */
export const settlementCallbacks = payments.table(
  'settlement_callbacks',
  {
    /** Sent as `webhook-id`, the same for every attempt. */
    id: id(),
    organizationId: uuid().notNull(),
    settlementId: uuid()
      .notNull()
      .references(() => settlements.id, { onDelete: 'cascade' }),
    sequence: integer().notNull(),
    /** The exact JSON that is signed. */
    body: text().notNull(),
    state: text().$type<CallbackState>().notNull().default('waiting'),
    /** Counts replays: a job of an earlier round does nothing. */
    round: integer().notNull().default(1),
    tries: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    lastStatus: integer(),
    nextAttemptAt: time(),
    createdAt: createdAt(),
    settledAt: time(),
  },
  (table) => [
    unique('settlement_callbacks_sequence').on(table.settlementId, table.sequence),
    index('settlement_callbacks_waiting')
      .on(table.nextAttemptAt)
      .where(sql`state = 'waiting'`),
    index('settlement_callbacks_organization').on(table.organizationId),
    check('settlement_callbacks_state', sql`${table.state} IN ('waiting', 'delivered', 'failed')`),
    check('settlement_callbacks_next', sql`(${table.nextAttemptAt} IS NOT NULL) = (${table.state} = 'waiting')`),
  ],
)

/** Attempts at callbacks. The newest 20 of each are kept. */
export const settlementCallbackAttempts = payments.table(
  'settlement_callback_attempts',
  {
    callbackId: uuid()
      .notNull()
      .references(() => settlementCallbacks.id, { onDelete: 'cascade' }),
    organizationId: uuid().notNull(),
    number: integer().notNull(),
    at: time().notNull(),
    durationMs: integer().notNull(),
    status: integer(),
    answer: text(),
    problem: text(),
  },
  (table) => [
    primaryKey({ columns: [table.callbackId, table.number] }),
    index('settlement_callback_attempts_organization').on(table.organizationId),
    check('settlement_callback_attempts_outcome', sql`(${table.status} IS NULL) <> (${table.problem} IS NULL)`),
  ],
)

/** With which an organization’s callbacks are signed. */
export const callbackSecrets = payments.table(
  'callback_secrets',
  {
    id: id(),
    organizationId: uuid().notNull(),
    /** `whsec_…`, sealed. */
    sealedSecret: text().notNull(),
    lastFour: text().notNull(),
    sealedPreviousSecret: text(),
    previousLastFour: text(),
    previousEndsAt: time(),
    createdAt: createdAt(),
    rotatedBy: uuid(),
    rotatedAt: time(),
    version: integer().notNull().default(1),
  },
  (table) => [
    unique('callback_secrets_organization').on(table.organizationId),
    check(
      'callback_secrets_previous',
      sql`(${table.sealedPreviousSecret} IS NULL) = (${table.previousEndsAt} IS NULL)`,
    ),
  ],
)
