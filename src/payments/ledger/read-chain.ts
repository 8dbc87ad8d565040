import { sql } from 'drizzle-orm'
import { executePrepared, type Database } from '#lib/db.ts'
import type { ChainedTransaction } from './chain.ts'

export interface StoredTransaction extends ChainedTransaction {
  readonly hash: string
}

interface ChainPart {
  merchantId: string
  /** Sequence of the last one, inclusive; the end of the chain when not set. */
  through?: bigint
}

/** Transactions per statement: 1 to 2 MB. */
const batchSize = 2_000

/** In order, in parts. The next part is read while the caller works on one. */
export async function* readChain(
  db: Database,
  { merchantId, through = maxSequence }: ChainPart,
): AsyncGenerator<StoredTransaction[]> {
  const readAfter = (after: bigint) => {
    const reading = readPart(db, { merchantId, after, through })
    // When the caller stops, nothing awaits it.
    reading.catch(() => {})
    return reading
  }
  let next: Promise<StoredTransaction[]> | null = readAfter(0n)
  while (next) {
    const part: StoredTransaction[] = await next
    const last = part.at(-1)
    next = last && part.length === batchSize ? readAfter(last.sequence) : null
    yield part
  }
}

const maxSequence = 2n ** 63n - 1n

type StoredEntry = readonly [account: string, amount: string, currency: string, venueId: string | null]

interface Row extends Record<string, unknown> {
  id: string
  organizationId: string
  merchantId: string
  sequence: string
  kind: string
  currency: string
  at: string
  orderId: string | null
  refundId: string | null
  disputeId: string | null
  itemId: string | null
  providerTransactionId: string | null
  correctsId: string | null
  note: string | null
  createdBy: string | null
  previousHash: string
  hash: string
  entries: readonly StoredEntry[]
}

async function readPart(
  db: Database,
  { merchantId, after, through }: Required<ChainPart> & { after: bigint },
): Promise<StoredTransaction[]> {
  const rows = await executePrepared<Row>(
    db,
    sql`SELECT id, organization_id AS "organizationId", merchant_id AS "merchantId", sequence::text AS sequence, kind,
        currency, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, order_id AS "orderId",
        refund_id AS "refundId", dispute_id AS "disputeId", item_id AS "itemId",
        provider_transaction_id AS "providerTransactionId", corrects_id AS "correctsId", note,
        created_by AS "createdBy", previous_hash AS "previousHash", hash,
        array_to_json(ARRAY(
          SELECT json_build_array(account, amount::text, entry.currency, venue_id)
          FROM payments.ledger_entries AS entry
          WHERE transaction_id = one.id AND entry.organization_id = one.organization_id
            AND entry.merchant_id = one.merchant_id
          ORDER BY position)) AS entries
      FROM payments.ledger_transactions AS one
      WHERE merchant_id = ${merchantId} AND sequence > ${String(after)} AND sequence <= ${String(through)}
      ORDER BY one.sequence LIMIT ${batchSize}`,
  )
  return rows.map(transactionOf)
}

const transactionOf = ({ entries, sequence, ...rest }: Row): StoredTransaction => ({
  ...rest,
  sequence: BigInt(sequence),
  entries: entries.map(([account, amount, currency, venueId]) => ({
    account,
    amount: BigInt(amount),
    currency,
    venueId,
  })),
})
