import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { executePrepared, type Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { LedgerAccount, LedgerKind } from '../contract/ledger.ts'
import { noVenue } from '../schema.ts'
import { hashTransaction, type ChainedTransaction } from './chain.ts'
import { bookingDayOf, type BookingDay } from './booking-day.ts'
import { isPosted, lockHeads, type Head } from './heads.ts'
import { publishLedger } from './ledger.topic.ts'

export interface Posting {
  id?: string
  organizationId: string
  merchantId: string
  venueId?: string | null | undefined
  kind: LedgerKind
  at: Date
  currency: string
  /** Debits are positive, credits negative. Zeros are left out; the rest sums to zero. */
  entries: readonly { account: LedgerAccount; amount: bigint }[]
  orderId?: string | null | undefined
  refundId?: string | null | undefined
  disputeId?: string | null | undefined
  itemId?: string | null | undefined
  providerTransactionId?: string | null | undefined
  correctsId?: string | null | undefined
  /** The month to which the corrected transaction is booked. */
  correctedMonth?: string | null | undefined
  note?: string | null | undefined
  createdBy?: string | null | undefined
}

type Posts = Parameters<typeof publishLedger>[0]

/**
 * Appends a movement of money to its merchant’s ledger, in the transaction of the change that it records. Call it last:
 * the merchant’s ledger is locked until the commit. An unbalanced one fails there. False when its provider transaction
 * is posted with this kind already.
 */
export async function postTransaction(work: Posts, tx: Database, posting: Posting): Promise<boolean> {
  const [posted = false] = await postTransactions(work, tx, [posting])
  return posted
}

/** Several at once, also of several merchants: calls for each of them could wait for one another. In the order given. */
export async function postTransactions(work: Posts, tx: Database, postings: readonly Posting[]): Promise<boolean[]> {
  if (postings.length === 0) return []
  // Before the lock, which others wait for.
  for (const organizationId of new Set(postings.map((posting) => posting.organizationId)))
    await publishLedger(work, tx, organizationId)
  const { fresh, heads } = await lockHeads(tx, withoutRepeats(postings))
  const posted = await appendNew(tx, fresh, heads)
  return postings.map((posting) => posted.has(posting))
}

/** What was posted while the lock was waited for is only seen now. The others then get other sequences. */
async function appendNew(
  tx: Database,
  postings: readonly Posting[],
  heads: ReadonlyMap<string, Head>,
): Promise<ReadonlySet<Posting>> {
  if (postings.length === 0) return new Set()
  const chained = chain(postings, heads)
  const known = await append(tx, chained)
  if (known.size === 0) return new Set(postings)
  return appendNew(
    tx,
    postings.filter((_, at) => !known.has(chained[at]?.id ?? '')),
    heads,
  )
}

function withoutRepeats(postings: readonly Posting[]): Posting[] {
  const seen = new Set<string>()
  return postings.filter(({ organizationId, providerTransactionId, kind }) => {
    if (!providerTransactionId) return true
    const key = `${organizationId} ${kind} ${providerTransactionId}`
    return !seen.has(key) && seen.add(key)
  })
}

interface Chained extends ChainedTransaction, BookingDay {
  readonly hash: string
}

function chain(postings: readonly Posting[], locked: ReadonlyMap<string, Head>): Chained[] {
  const heads = new Map(locked)
  return postings.map((posting) => {
    const { merchantId } = posting
    const head = heads.get(merchantId)
    if (!head) throw new Error(`The ledger of merchant ${merchantId} is not locked`)
    const transaction = transactionOf(posting, head)
    const hash = hashTransaction(transaction)
    heads.set(merchantId, { ...head, sequence: transaction.sequence, hash })
    return { ...transaction, ...bookingDayOf(posting, head), hash }
  })
}

function transactionOf(posting: Posting, { sequence, hash }: Head): ChainedTransaction {
  const { kind, currency, at } = posting
  const venueId = asStored(posting.venueId)
  return {
    id: posting.id ?? newId(),
    organizationId: posting.organizationId,
    merchantId: posting.merchantId,
    sequence: sequence + 1n,
    kind,
    currency,
    at: at.toISOString(),
    orderId: asStored(posting.orderId),
    refundId: asStored(posting.refundId),
    disputeId: asStored(posting.disputeId),
    itemId: asStored(posting.itemId),
    providerTransactionId: posting.providerTransactionId ?? null,
    correctsId: asStored(posting.correctsId),
    note: posting.note ?? null,
    createdBy: asStored(posting.createdBy),
    previousHash: hash,
    entries: posting.entries
      .filter(({ amount }) => amount !== 0n)
      .map(({ account, amount }) => ({ account, amount, currency, venueId })),
  }
}

/** PostgreSQL returns UUIDs in lowercase, and the hash must be of the same text. */
const asStored = (id: string | null | undefined): string | null => id?.toLowerCase() ?? null

const Known = z.array(z.object({ id: z.string() }))

/** All or none: returns the IDs of those whose provider transaction is posted already. Needs the lock of the heads. */
async function append(tx: Database, chained: readonly Chained[]): Promise<Set<string>> {
  const transactions = chained.map((one) => ({ ...one, sequence: String(one.sequence), entries: one.entries.length }))
  const entries = chained.flatMap(({ id, organizationId, merchantId, kind, bookedOn, entries: own }) =>
    own.map((entry, at) => ({
      ...entry,
      id,
      organizationId,
      merchantId,
      kind,
      bookedOn,
      position: at + 1,
      amount: String(entry.amount),
    })),
  )
  const ends = new Map(
    transactions.map(({ merchantId, organizationId, sequence, hash }) => [
      merchantId,
      { merchantId, organizationId, sequence, hash },
    ]),
  )
  const rows = await executePrepared(
    tx,
    sql`WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(transactions)}::json) AS given (
        id uuid, "organizationId" uuid, "merchantId" uuid, sequence bigint, kind text, currency text, at timestamptz,
        "bookedOn" date, "closedMonth" text, "orderId" uuid, "refundId" uuid, "disputeId" uuid, "itemId" uuid, "providerTransactionId" text,
        "correctsId" uuid, note text, "createdBy" uuid, entries integer, "previousHash" text, hash text)
    ), known AS MATERIALIZED (
      SELECT id FROM given WHERE ${isPosted}
    ), transactions AS (
      INSERT INTO payments.ledger_transactions (
        id, organization_id, merchant_id, sequence, kind, currency, at, booked_on, closed_month, order_id, refund_id,
        dispute_id, item_id, provider_transaction_id, corrects_id, note, created_by, entry_count, previous_hash, hash)
      SELECT id, "organizationId", "merchantId", sequence, kind, currency, at, "bookedOn", "closedMonth", "orderId",
        "refundId", "disputeId", "itemId", "providerTransactionId", "correctsId", note, "createdBy", entries, "previousHash", hash
      FROM given WHERE NOT EXISTS (SELECT FROM known)
    ), added AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(entries)}::json) AS added (
        id uuid, position integer, "organizationId" uuid, "merchantId" uuid, kind text, "bookedOn" date,
        "venueId" uuid, account text, currency text, amount bigint)
      WHERE NOT EXISTS (SELECT FROM known)
    ), entries AS (
      INSERT INTO payments.ledger_entries (
        transaction_id, position, organization_id, merchant_id, venue_id, account, currency, amount)
      SELECT id, position, "organizationId", "merchantId", "venueId", account, currency, amount FROM added
    ), balances AS (
      INSERT INTO payments.ledger_balances AS stored (
        merchant_id, venue_id, account, currency, organization_id, balance)
      SELECT "merchantId", coalesce("venueId", ${noVenue}), account, currency, "organizationId", sum(amount) FROM added
      GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4
      ON CONFLICT (merchant_id, venue_id, account, currency) DO UPDATE SET balance = stored.balance + excluded.balance
    ), days AS (
      INSERT INTO payments.ledger_days AS stored (
        merchant_id, currency, day, venue_id, kind, account, organization_id, amount, entries)
      SELECT "merchantId", currency, "bookedOn", coalesce("venueId", ${noVenue}), kind, account, "organizationId",
        sum(amount), count(*)
      FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (merchant_id, currency, day, venue_id, kind, account)
        DO UPDATE SET amount = stored.amount + excluded.amount, entries = stored.entries + excluded.entries
    ), heads AS (
      INSERT INTO payments.ledger_heads (merchant_id, organization_id, sequence, hash)
      SELECT "merchantId", "organizationId", sequence, hash
      FROM json_to_recordset(${JSON.stringify([...ends.values()])}::json) AS ends (
        "merchantId" uuid, "organizationId" uuid, sequence bigint, hash text)
      WHERE NOT EXISTS (SELECT FROM known)
      ON CONFLICT (merchant_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash
    ) SELECT id FROM known`,
  )
  return new Set(Known.parse(rows).map(({ id }) => id))
}
