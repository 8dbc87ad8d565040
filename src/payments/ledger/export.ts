import { Currency, formatMoney } from '#lib/money.ts'
import type { Database } from '#lib/db.ts'
import { csvOf } from '#lib/response/csv.ts'
import { LedgerEntryLine, type LedgerFilter } from '../contract/ledger.ts'
import { listTransactions } from './read.ts'

type Transaction = Awaited<ReturnType<typeof listTransactions>>['items'][number]

const rowsPerRead = 200

/** The entries of all transactions that match, the newest first, as RFC 4180. */
export async function* exportLedgerLines(
  db: Database,
  organizationId: string,
  filter: Omit<LedgerFilter, 'limit' | 'cursor'>,
): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await listTransactions(db, organizationId, {
      ...filter,
      limit: rowsPerRead,
      ...(cursor !== undefined && { cursor }),
    })
    const text = csvOf(LedgerEntryLine, items.flatMap(linesOf))
    yield cursor === undefined ? text : text.slice(text.indexOf('\r\n') + 2)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}

const linesOf = (transaction: Transaction) =>
  transaction.entries.map(({ account, currency, amount }) => {
    const decimal = formatMoney({ minor: amount < 0n ? -amount : amount, currency: Currency.parse(currency) })
    return LedgerEntryLine.parse({
      ...transaction,
      transactionId: transaction.id,
      merchant: transaction.merchantName,
      order: transaction.orderNumber,
      account,
      currency,
      debit: amount < 0n ? '' : decimal,
      credit: amount < 0n ? decimal : '',
    })
  })
