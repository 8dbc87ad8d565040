import { and, asc, eq, exists, inArray, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { withinDays } from '#lib/days.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import type { LedgerFilter, LedgerTransaction } from '../contract/ledger.ts'
import { ledgerEntries, ledgerTransactions, merchants, orders } from '../schema.ts'

type Transaction = z.input<typeof LedgerTransaction>

const corrected = alias(ledgerTransactions, 'corrected')

const fields = {
  id: ledgerTransactions.id,
  merchantId: ledgerTransactions.merchantId,
  merchantName: merchants.name,
  sequence: ledgerTransactions.sequence,
  kind: ledgerTransactions.kind,
  currency: ledgerTransactions.currency,
  at: ledgerTransactions.at,
  bookedOn: ledgerTransactions.bookedOn,
  closedMonth: ledgerTransactions.closedMonth,
  orderId: ledgerTransactions.orderId,
  orderNumber: orders.number,
  refundId: ledgerTransactions.refundId,
  disputeId: ledgerTransactions.disputeId,
  itemId: ledgerTransactions.itemId,
  providerReference: ledgerTransactions.providerTransactionId,
  correctsId: ledgerTransactions.correctsId,
  correctsSequence: corrected.sequence,
  note: ledgerTransactions.note,
  createdBy: ledgerTransactions.createdBy,
  previousHash: ledgerTransactions.previousHash,
  hash: ledgerTransactions.hash,
}

const selectTransactions = (db: Database) =>
  db
    .select(fields)
    .from(ledgerTransactions)
    .leftJoin(merchants, eq(merchants.id, ledgerTransactions.merchantId))
    .leftJoin(orders, eq(orders.id, ledgerTransactions.orderId))
    .leftJoin(corrected, eq(corrected.id, ledgerTransactions.correctsId))

/** With their entries, the newest first. */
export async function listTransactions(
  db: Database,
  organizationId: string,
  filter: LedgerFilter,
): Promise<PageOf<Transaction>> {
  const slice = byId(ledgerTransactions.id, 'desc').slice(filter)
  const rows = await selectTransactions(db)
    .where(
      and(
        eq(ledgerTransactions.organizationId, organizationId),
        ...conditionsOf(db, organizationId, filter),
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  return { items: await withEntries(db, items), nextCursor }
}

/** @throws {Problem} 404 */
export async function getTransaction(db: Database, organizationId: string, id: string): Promise<Transaction> {
  const rows = await selectTransactions(db).where(
    and(eq(ledgerTransactions.organizationId, organizationId), eq(ledgerTransactions.id, id)),
  )
  const [transaction] = await withEntries(db, rows)
  if (!transaction) throw notFound('transaction')
  return transaction
}

async function withEntries<Row extends { id: string }>(db: Database, rows: readonly Row[]) {
  const ids = rows.map(({ id }) => id)
  const found = await db
    .select({
      transactionId: ledgerEntries.transactionId,
      account: ledgerEntries.account,
      venueId: ledgerEntries.venueId,
      currency: ledgerEntries.currency,
      amount: ledgerEntries.amount,
    })
    .from(ledgerEntries)
    .where(inArray(ledgerEntries.transactionId, ids))
    .orderBy(asc(ledgerEntries.transactionId), asc(ledgerEntries.position))
  const entries = Map.groupBy(found, ({ transactionId }) => transactionId)
  return rows.map((row) => ({ ...row, entries: entries.get(row.id) ?? [] }))
}

function conditionsOf(db: Database, organizationId: string, filter: LedgerFilter): (SQL | undefined)[] {
  const { account, kind, currency, merchantId, orderId, q } = filter
  return [
    kind && eq(ledgerTransactions.kind, kind),
    currency && eq(ledgerTransactions.currency, currency),
    merchantId && eq(ledgerTransactions.merchantId, merchantId),
    orderId && eq(ledgerTransactions.orderId, orderId),
    withinDays(ledgerTransactions.at, filter),
    account &&
      exists(
        db
          .select({ one: sql`1` })
          .from(ledgerEntries)
          .where(
            and(
              eq(ledgerEntries.organizationId, organizationId),
              eq(ledgerEntries.account, account),
              eq(ledgerEntries.transactionId, ledgerTransactions.id),
            ),
          ),
      ),
    q && matches(db, organizationId, q),
  ].filter((condition) => typeof condition === 'object')
}

/** As it is displayed, such as 18,206. */
const sequencePattern = /^\d{1,3}(?:,?\d{3})*$|^\d{1,18}$/

function matches(db: Database, organizationId: string, q: string): SQL | undefined {
  const reference = eq(ledgerTransactions.providerTransactionId, q)
  const digits = q.replaceAll(',', '')
  if (sequencePattern.test(q) && digits.length <= 18)
    return or(reference, eq(ledgerTransactions.sequence, BigInt(digits)))
  const ofOrder = db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.organizationId, organizationId), eq(orders.number, q)))
  return or(reference, sql`${ledgerTransactions.orderId} = ANY (ARRAY(${ofOrder}))`)
}
