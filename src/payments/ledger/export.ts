import type { z } from 'zod'
import { Currency, formatMoney } from '#lib/money.ts'
import type { Database } from '#lib/db.ts'
import type { PageOf } from '#lib/paginate.ts'
import type { LedgerEntryLine, LedgerFilter } from '../contract/ledger.ts'
import { listTransactions } from './read.ts'

type Transaction = Awaited<ReturnType<typeof listTransactions>>['items'][number]
type Line = z.input<typeof LedgerEntryLine>

/** The entries of the transactions that match, the newest first. */
export async function listEntryLines(
  db: Database,
  organizationId: string,
  filter: LedgerFilter,
): Promise<PageOf<Line>> {
  const { items, nextCursor } = await listTransactions(db, organizationId, filter)
  return { items: items.flatMap(linesOf), nextCursor }
}

const linesOf = (transaction: Transaction): Line[] =>
  transaction.entries.map(({ account, currency, amount }) => {
    const decimal = formatMoney({ minor: amount < 0n ? -amount : amount, currency: Currency.parse(currency) })
    return {
      ...transaction,
      transactionId: transaction.id,
      merchant: transaction.merchantName,
      order: transaction.orderNumber,
      account,
      currency,
      debit: amount < 0n ? '' : decimal,
      credit: amount < 0n ? decimal : '',
    }
  })
