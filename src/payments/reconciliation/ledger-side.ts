import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { LedgerAccount, LedgerKind } from '../contract/ledger.ts'

const Rows = z.array(
  z.object({
    reference: z.string(),
    root: z.string(),
    kind: LedgerKind,
    merchantId: z.string(),
    orderId: z.string().nullable(),
    refundId: z.string().nullable(),
    itemId: z.string().nullable(),
    at: z.coerce.date(),
    currency: z.string(),
    account: LedgerAccount,
    amount: z.coerce.bigint(),
  }),
)
export type LedgerRow = z.output<typeof Rows>[number]

/** What the ledger has of the provider’s balance transactions, with the corrections of it, by their IDs. */
export async function readSides(
  db: Database,
  organizationId: string,
  references: readonly string[],
): Promise<Map<string, LedgerRow[]>> {
  if (references.length === 0) return new Map()
  const rows = await db.execute(sql`
    WITH RECURSIVE booked AS (
      SELECT id, id AS root, provider_transaction_id AS reference FROM payments.ledger_transactions
      WHERE provider_transaction_id = ANY (${sql.param(references)}::text[]) AND organization_id = ${organizationId}
      UNION ALL
      SELECT one.id, booked.root, booked.reference FROM booked
      JOIN payments.ledger_transactions AS one ON one.corrects_id = booked.id
      WHERE one.provider_transaction_id IS NULL AND one.organization_id = ${organizationId}
    )
    SELECT booked.reference, booked.root, first.kind, first.merchant_id AS "merchantId", first.order_id AS "orderId",
      first.refund_id AS "refundId", first.item_id AS "itemId", first.at, entry.currency, entry.account,
      sum(entry.amount)::text AS amount
    FROM booked
    JOIN payments.ledger_transactions AS first ON first.id = booked.root
    JOIN payments.ledger_entries AS entry ON entry.transaction_id = booked.id
    GROUP BY booked.reference, booked.root, first.id, entry.currency, entry.account ORDER BY booked.root, entry.account`)
  return Map.groupBy(Rows.parse(rows), ({ reference }) => reference)
}

export const sumOf = (
  rows: readonly LedgerRow[],
  { account, currency }: { account: LedgerAccount; currency: string },
): bigint =>
  rows
    .filter((row) => row.account === account && row.currency === currency)
    .reduce((sum, { amount }) => sum + amount, 0n)

const maxCandidates = 500

const References = z.array(z.object({ reference: z.string() }))

interface Range {
  organizationId: string
  account: string
  /** Whether bookings without an order or settlement item are this account’s too. */
  isOnly: boolean
  from: Date
  to: Date
}

/** Balance transactions that the ledger names in a range of time, both ends included, and that the given ones lack. */
export async function listBookedReferences(
  db: Database,
  { organizationId, account, isOnly, from, to }: Range,
  except: readonly string[],
): Promise<string[]> {
  const rows = await db.execute(sql`
    SELECT DISTINCT one.provider_transaction_id AS reference FROM payments.ledger_transactions AS one
    WHERE one.organization_id = ${organizationId} AND one.at BETWEEN ${from.toISOString()} AND ${to.toISOString()}
      AND one.provider_transaction_id IS NOT NULL
      AND one.provider_transaction_id <> ALL (${sql.param(except)}::text[])
      AND CASE
        WHEN one.order_id IS NOT NULL THEN EXISTS (
          SELECT FROM payments.payments AS paid WHERE paid.order_id = one.order_id AND paid.account_key = ${account})
        WHEN one.item_id IS NOT NULL THEN EXISTS (
          SELECT FROM payments.settlement_items AS item WHERE item.id = one.item_id AND item.account_key = ${account})
        ELSE ${isOnly}::boolean END
    LIMIT ${maxCandidates}`)
  return References.parse(rows).map(({ reference }) => reference)
}
